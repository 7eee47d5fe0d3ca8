/** How a server writes dates without a zone or with an ambiguous order. */
export interface DateHabits {
  /** Offset of times without a zone, minutes east of UTC; default 0. */
  readonly utcOffset?: number;
  readonly dayFirst?: true;
}

/**
 * Parses a date as whois servers write it. Returns `2026-01-02T03:04:05Z`, midnight for a date without a time, and `''`
 * for an unknown format or an invalid date.
 */
export function parseDate(text: string, habits: DateHabits = {}): string {
  const written = text.slice(0, MAX_DATE).trim();
  const day = readDay(written, habits.dayFirst === true);
  if (!day) return '';
  return isoOf(day, readTime(written.slice(day.length), habits.utcOffset ?? 0));
}

const MAX_DATE = 60;

interface Day {
  readonly year: number;
  /** 1 to 12 */
  readonly month: number;
  readonly day: number;
  /** Characters matched, including a weekday before the date. */
  readonly length: number;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH =
  '(?<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)' +
  '(?:uary|ruary|ch|il|e|y|ust|t|tember|ober|ember)?(?![a-z])';
const WEEKDAY = '(?:before )?(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? )?';

/** `2026-01-02`, `2026.01.02`, `2026/1/2`, `2026. 01. 02.` */
const YEAR_FIRST = /^(?<year>\d{4})[-./] ?(?<month>\d{1,2})[-./] ?(?<day>\d{1,2})(?!\d)\.?/;
/** `20260102`, optionally followed by a time. */
const COMPACT = /^(?<year>(?:19|20)\d\d)(?<month>\d\d)(?<day>\d\d)(?=$|\D|\d{6}(?!\d))/;
/** `2026-Jan-02` */
const YEAR_NAME = new RegExp(`^(?<year>\\d{4})[- ]${MONTH}[- ](?<day>\\d{1,2})(?!\\d)\\.?`, 'i');
/** `02-Jan-2026`, `2 January 2026`, `Fri, 2 Jan 2026` */
const DAY_NAME = new RegExp(
  `^${WEEKDAY}(?<day>\\d{1,2})(?:st|nd|rd|th)?[-. ]${MONTH}[-., ]+(?<year>\\d{4})(?!\\d)`,
  'i',
);
/** `January  2 2026`, `Fri Jan 2, 2026` */
const NAME_DAY = new RegExp(
  `^${WEEKDAY}${MONTH}[- ]{1,2}(?<day>\\d{1,2})(?:st|nd|rd|th)?,?[- ]+(?<year>\\d{4})(?!\\d)`,
  'i',
);
/** `Fri Jan  2 03:04:05 UTC 2026`, the format of ctime(3). */
const CTIME = new RegExp(
  `^${WEEKDAY}${MONTH} {1,2}(?<day>\\d{1,2}) (?<time>\\d\\d:\\d\\d:\\d\\d(?: [a-z]{3,4})?) (?<year>\\d{4})$`,
  'i',
);
/** `02.01.2026`, which is ambiguous without knowing the server. */
const DAY_FIRST = /^(?<day>\d{1,2})[-./](?<month>\d{1,2})[-./](?<year>\d{4})(?!\d)/;

const FORMATS = [YEAR_FIRST, COMPACT, YEAR_NAME, DAY_NAME, NAME_DAY, CTIME];

function readDay(text: string, dayFirst: boolean): Day | undefined {
  for (const format of dayFirst ? [...FORMATS, DAY_FIRST] : FORMATS) {
    const match = format.exec(text);
    if (!match?.groups) continue;
    const { year, month, day, time } = match.groups;
    const monthNumber = MONTHS.indexOf(month!.toLowerCase()) + 1 || Number(month);
    const length = time === undefined ? match[0].length : text.indexOf(time);
    return { year: Number(year), month: monthNumber, day: Number(day), length };
  }
  return undefined;
}

interface Time {
  /** Seconds since midnight. */
  readonly seconds: number;
  /** Seconds east of UTC. */
  readonly offset: number;
}

/** A time with an optional zone. The colons may be missing after a date without hyphens. */
const TIME = /^[T ]?\s?(?<h>\d{2}):?(?<m>\d{2})(?::?(?<s>\d{2})(?:[.,]\d{1,9})?)?\s?(?<zone>.*)$/i;
/** `+03:00`, `(GMT+0:00)`, `UTC+8` */
const OFFSET = /^\(?(?:utc|gmt)?(?<sign>[+-])(?<h>\d{1,2}):?(?<m>\d{2})?\)?/i;
const UTC_ZONES = /^\(?(?:z|utc|gmt|utc0)\b/i;
/** Unambiguous zone names, as hours east of UTC. */
const ZONES: Readonly<Record<string, number>> = { jst: 9, kst: 9, cet: 1, cest: 2, eet: 2, eest: 3, msk: 3 };

function readTime(text: string, utcOffset: number): Time {
  const groups = TIME.exec(text.trimEnd())?.groups;
  if (!groups) return { seconds: 0, offset: 0 };
  const { h, m, s = '0', zone = '' } = groups;
  const seconds = Number(h) * 3600 + Number(m) * 60 + Number(s);
  const offset = readZone(zone, utcOffset * 60);
  // With an unknown zone or an invalid time only the date is known.
  if (offset === undefined || Number(h) > 23 || Number(m) > 59) return { seconds: 0, offset: 0 };
  return { seconds, offset };
}

function readZone(zone: string, otherwise: number): number | undefined {
  const offset = OFFSET.exec(zone)?.groups;
  if (offset) {
    const seconds = Number(offset['h']) * 3600 + Number(offset['m'] ?? 0) * 60;
    return offset['sign'] === '-' ? -seconds : seconds;
  }
  if (UTC_ZONES.test(zone)) return 0;
  const name = /^\(?([a-z]{2,5})\b/i.exec(zone)?.[1]?.toLowerCase();
  if (name === undefined) return otherwise;
  const hours = ZONES[name];
  return hours === undefined ? undefined : hours * 3600;
}

function isoOf({ year, month, day }: Day, { seconds, offset }: Time): string {
  const midnight = Date.UTC(year, month - 1, day);
  const date = new Date(midnight);
  const isReal = year >= 1970 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!isReal) return '';
  return new Date(midnight + (seconds - offset) * 1000).toISOString().replace('.000Z', 'Z');
}
