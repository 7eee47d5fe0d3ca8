/** A moment that a caller asks about. */
export interface Moment {
  /** ms since 1970. */
  readonly ms: number;
}

/** What a text for a moment must be. */
export const MOMENT_FORMS = 'YYYY-MM-DD or an RFC 3339 time such as 2026-11-21T12:00:00Z';

/**
 * Parses a date, which is the end of that day in UTC (for today, the present), or an RFC 3339 time. Returns why it is
 * invalid: the form, or a time in the future.
 */
export function parseMoment(text: string, nowMs: number): Moment | 'form' | 'future' {
  const day = /^(\d{4}-\d\d-\d\d)$/.exec(text)?.[1];
  const time = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/.test(text);
  if (day === undefined && !time) return 'form';
  const ms = Date.parse(day === undefined ? text.toUpperCase() : `${day}T00:00:00Z`);
  if (Number.isNaN(ms) || !isDayOfMonth(text)) return 'form';
  if (ms > nowMs) return 'future';
  return { ms: day === undefined ? ms : Math.min(ms + DAY_MS - 1, nowMs) };
}

const DAY_MS = 86_400_000;

/** Whether a month has the day: Date.parse accepts 31 February. */
function isDayOfMonth(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number);
  return day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** Returns the build time in the id of a release, ms since 1970; undefined for other names. */
export function builtMs(id: string): number | undefined {
  const found = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-[0-9a-f]{12}$/.exec(id);
  if (!found) return undefined;
  const [, year, month, day, hour, minute, second] = found;
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}

/** A kept release and its build time. */
export interface KeptRelease {
  readonly id: string;
  /** ms since 1970. */
  readonly builtMs: number;
}

/** The release of a moment, or the oldest kept one when that is later. Both are absent without a release. */
export type Found =
  | { readonly found: KeptRelease; readonly oldest?: undefined }
  | { readonly found?: undefined; readonly oldest: KeptRelease | undefined };

/**
 * Finds the release that was current at a moment among the names of the kept ones: the latest that was built before it.
 * Releases that were built after the current one do not count: a rollback has replaced them.
 */
export function releaseAt(names: readonly string[], currentId: string, { ms }: Moment): Found {
  const limit = builtMs(currentId) ?? Infinity;
  const kept = names
    .flatMap((id): KeptRelease[] => {
      const built = builtMs(id);
      return built === undefined || built > limit ? [] : [{ id, builtMs: built }];
    })
    .sort((a, b) => a.builtMs - b.builtMs || rank(a, currentId) - rank(b, currentId));
  const found = kept.findLast(({ builtMs: built }) => built <= ms);
  return found ? { found } : { oldest: kept[0] };
}

/** Of releases with equal times, the current one is the last. */
function rank({ id }: KeptRelease, currentId: string): number {
  return id === currentId ? 1 : 0;
}
