/**
 * The moment at which an operation must be over, in ms of `performance.now()`. Code that opens a socket enforces it.
 * Callers pass it down, and shorten it for parts with a budget of their own.
 */
export type Deadline = number;

/** Returns the moment `ms` from now, or `outer` if that is earlier. */
export function deadlineIn(ms: number, outer: Deadline = Infinity): Deadline {
  return Math.min(performance.now() + ms, outer);
}

/** Returns the milliseconds left, 0 after the deadline. */
export function leftOf(deadline: Deadline): number {
  return Math.max(0, deadline - performance.now());
}

/** Returns the result of `work`, or at the deadline the result of `late`. The work continues in the background. */
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

/** Node fires longer timers at once. */
const MAX_TIMER_MS = 0x7fffffff;
