/** A server that asks for more than a week is not believed. */
const LONGEST_MS = 7 * 24 * 3_600_000;

/** The wait that a Retry-After header asks for (RFC 9110 §10.2.3: seconds or a date), in ms; absent when it is neither. */
export function parseRetryAfter(text: string | undefined, now: Date): number | undefined {
  if (text === undefined) return undefined;
  const waitMs = /^\d+$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - now.getTime();
  return Number.isNaN(waitMs) ? undefined : Math.min(LONGEST_MS, Math.max(0, waitMs));
}
