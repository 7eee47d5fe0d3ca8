import { dayOfMs, isStorableDay, parseDay } from './days.js';

/**
 * Returns the day in a header comment of a list, in days since 1970-01-01 UTC. Returns undefined without a day that a
 * claim can store. Formats: `# Last update: 2026-08-22 01:01:44.682352` (UTC), `# Last update: Sat Apr 19 2025 01:00:44
 * GMT+0000 (…)` (JavaScript), `# Last update: Sat, 20 Sep 2025 03:02:45 +0200` (RFC 5322 §3.3).
 */
export function headerDay(comment: string): number | undefined {
  const [, time] = LABEL.exec(comment) ?? [];
  if (time === undefined) return undefined;
  const day = parseDay(time) ?? wordDay(JAVASCRIPT, time, [2, 1, 3]) ?? wordDay(RFC_5322, time, [1, 2, 3]);
  return day !== undefined && isStorableDay(day) ? day : undefined;
}

const LABEL = /^[#;]\s*(?:last\s+)?(?:updated?|modified|generated)(?:\s+(?:on|at))?\s*:\s*(.+?)\s*$/i;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const JAVASCRIPT =
  /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) (\d{2}) (\d{4}) (\d{2}:\d{2}:\d{2}) GMT([+-]\d{2})(\d{2})(?: \(.*\))?$/;
const RFC_5322 = /^[A-Z][a-z]{2}, (\d{1,2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}:\d{2}:\d{2}) ([+-]\d{2})(\d{2})$/;

/** Parses a date with a month name. `at` has the groups of day, month and year in the pattern. */
function wordDay(
  pattern: RegExp,
  text: string,
  at: readonly [day: number, month: number, year: number],
): number | undefined {
  const match = pattern.exec(text);
  if (!match) return undefined;
  const [day, month, year] = at.map((group) => match[group]!) as [string, string, string];
  const number = String(MONTHS.indexOf(month) + 1).padStart(2, '0');
  const date = `${year}-${number}-${day.padStart(2, '0')}`;
  // Rejects days that the month does not have, in any zone.
  if (parseDay(date) === undefined) return undefined;
  const ms = Date.parse(`${date}T${match[4]!}${match[5]!}:${match[6]!}`);
  return Number.isNaN(ms) ? undefined : dayOfMs(ms);
}
