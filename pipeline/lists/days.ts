/** The milliseconds of a day. Unix time has no leap seconds. */
const DAY_MS = 86_400_000;

/** Returns the day of a time in ms since 1970, in days since 1970-01-01 UTC. */
export function dayOfMs(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/**
 * Returns the day of an ISO 8601 date or time, in UTC unless it has a zone. Returns undefined for other texts, and for
 * days that a claim cannot store.
 */
export function parseDay(text: string): number | undefined {
  const match =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?)?$/.exec(
      text.trim(),
    );
  if (!match) return undefined;
  const [, date, time = '00:00', zone = 'Z'] = match;
  const ms = Date.parse(`${date}T${time}${zone === 'UTC' ? 'Z' : zone}`);
  // Date.parse reads 31 February as a day of March.
  if (Number.isNaN(ms) || new Date(`${date}T00:00Z`).toISOString().slice(0, 10) !== date) return undefined;
  const day = dayOfMs(ms);
  return isStorableDay(day) ? day : undefined;
}

/** Formats a day as `2026-08-22`. */
export function formatDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Whether a claim can store the day as `lastSeen`: 1970 to 2149. */
export function isStorableDay(day: number): boolean {
  return day >= 0 && day <= 0xffff;
}
