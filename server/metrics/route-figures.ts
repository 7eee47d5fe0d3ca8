/** What an answer came to, and how long it took. */
export interface Measured {
  /** HTTP status. */
  readonly status: number;
  /** Code of the envelope. */
  readonly code: number;
  readonly seconds: number;
}

/** Upper bounds of the durations that are counted together, in seconds. */
export const BOUNDS: readonly number[] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10, 60];

/** Codes and statuses have three digits. */
const CODES = 1000;

/**
 * Counts of a route's answers. prom-client hashes the labels of every observation, which takes ten times as long as the
 * count itself; it is shown these when somebody asks for measures.
 */
export class RouteFigures {
  /** By status * 1000 + code. */
  readonly #answers = new Map<number, number>();
  /** By the first bound that a duration does not exceed; the last is of those beyond all bounds. */
  readonly #durations = new Float64Array(BOUNDS.length + 1);
  #seconds = 0;

  add({ status, code, seconds }: Measured): void {
    const kind = status * CODES + code;
    this.#answers.set(kind, (this.#answers.get(kind) ?? 0) + 1);
    let i = 0;
    while (i < BOUNDS.length && seconds > BOUNDS[i]!) i++;
    this.#durations[i]!++;
    this.#seconds += seconds;
  }

  /** Seconds of all answers together. */
  get seconds(): number {
    return this.#seconds;
  }

  /** How many answers there were of each status and code. */
  *answers(): Generator<{ readonly status: number; readonly code: number; readonly count: number }> {
    for (const [kind, count] of this.#answers)
      yield { status: Math.floor(kind / CODES), code: kind % CODES, count };
  }

  /** How many answers took no longer than each of the bounds; the last is how many there were. */
  cumulated(): number[] {
    let sum = 0;
    return Array.from(this.#durations, (count) => (sum += count));
  }
}
