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

/** What the work comes to; what `late` returns or throws when it has come to nothing by then. The work goes on. */
export async function before<Value, Late>(
  deadline: Deadline,
  work: Promise<Value>,
  late: () => Late,
): Promise<Value | Late> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(leftOf(deadline), MAX_TIMER_MS));
  });
  try {
    return await Promise.race([work, end.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}

/** Longer timers fire at once. */
const MAX_TIMER_MS = 0x7fffffff;
