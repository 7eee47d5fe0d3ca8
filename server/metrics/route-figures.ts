/** Result and duration of an answer. */
export interface Measured {
  /** HTTP status. */
  readonly status: number;
  /** Code of the envelope. */
  readonly code: number;
  readonly seconds: number;
}

/** Upper bounds of the histogram buckets, in seconds. */
export const BOUNDS: readonly number[] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10, 60];

/** Codes and statuses have three digits. */
const CODES = 1000;

/**
 * Counts a route's answers. prom-client hashes the labels of every observation, which takes ten times as long as
 * counting, so it reads these counts when metrics are collected.
 */
export class RouteFigures {
  /** By status * 1000 + code. */
  readonly #answers = new Map<number, number>();
  /** Counts by bucket. The last one counts durations above all bounds. */
  readonly #durations = new Float64Array(BOUNDS.length + 1);
  #seconds = 0;

  /** Counts an answer. */
  add({ status, code, seconds }: Measured): void {
    const kind = status * CODES + code;
    this.#answers.set(kind, (this.#answers.get(kind) ?? 0) + 1);
    let i = 0;
    while (i < BOUNDS.length && seconds > BOUNDS[i]!) i++;
    this.#durations[i]!++;
    this.#seconds += seconds;
  }

  /** Sum of all durations. */
  get seconds(): number {
    return this.#seconds;
  }

  /** Yields the number of answers of each status and code. */
  *answers(): Generator<{ readonly status: number; readonly code: number; readonly count: number }> {
    for (const [kind, count] of this.#answers)
      yield { status: Math.floor(kind / CODES), code: kind % CODES, count };
  }

  /** Returns the number of answers up to each bound. The last number counts all answers. */
  cumulated(): number[] {
    let sum = 0;
    return Array.from(this.#durations, (count) => (sum += count));
  }
}
