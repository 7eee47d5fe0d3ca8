/**
 * A moment by which something must be over, in ms of `performance.now()`. Whoever opens a socket ends it then; those
 * above hand it down, made earlier where a part has a budget of its own.
 */
export type Deadline = number;

/** The moment `ms` from now; the outer one where that comes first. */
export function deadlineIn(ms: number, outer: Deadline = Infinity): Deadline {
  return Math.min(performance.now() + ms, outer);
}

/** Milliseconds that are left, 0 when it has passed. */
export function leftOf(deadline: Deadline): number {
  return Math.max(0, deadline - performance.now());
}
