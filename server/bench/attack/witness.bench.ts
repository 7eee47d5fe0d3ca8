import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a caller from another address saw of one path. */
export interface Seen {
  readonly asked: number;
  /** Share of requests that were answered 200 within DEADLINE_MS. */
  readonly answered: number;
  /** Requests without an answer count as DEADLINE_MS. */
  readonly medianMs: number;
  readonly worstMs: number;
  /** The longest time between two answers. */
  readonly silentMs: number;
}

/** A running observation. */
export interface Witness {
  /** Waits until the server answers again, and returns what was seen. */
  end(): Promise<Readonly<Record<'healthz' | 'lookup', Seen>>>;
}

const EVERY_MS = 100;
const DEADLINE_MS = 30_000;

/**
 * Requests `/healthz` and a lookup with a key at fixed intervals, each on a new connection and from its own address. A
 * request is sent whether or not earlier ones were answered.
 */
export function watch(url: string, key: string): Witness {
  const healthz = new Series(`${url}/healthz`, '127.0.0.2', {});
  const lookup = new Series(`${url}/api/ip/8.8.8.8`, '127.0.0.3', { authorization: `Bearer ${key}` });
  const timer = setInterval(() => {
    void healthz.ask();
    void lookup.ask();
  }, EVERY_MS);
  return {
    end: async () => {
      clearInterval(timer);
      await Promise.all([healthz.ask(), lookup.ask()]);
      await Promise.all([healthz.settled(), lookup.settled()]);
      return { healthz: healthz.seen(), lookup: lookup.seen() };
    },
  };
}

/** The requests to one path. */
class Series {
  readonly #startedMs = performance.now();
  readonly #waits: number[] = [];
  readonly #answersMs: number[] = [];
  #pending = 0;

  constructor(
    private readonly url: string,
    private readonly localAddress: string,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  async ask(): Promise<void> {
    const startedMs = performance.now();
    this.#pending++;
    const isAnswered = await this.#isAnswered();
    this.#pending--;
    const endedMs = performance.now();
    this.#waits.push(isAnswered ? endedMs - startedMs : DEADLINE_MS);
    if (isAnswered) this.#answersMs.push(endedMs);
  }

  async settled(): Promise<void> {
    while (this.#pending > 0) await sleep(20);
  }

  seen(): Seen {
    const sorted = this.#waits.toSorted((a, b) => a - b);
    const times = [this.#startedMs, ...this.#answersMs.toSorted((a, b) => a - b), performance.now()];
    return {
      asked: sorted.length,
      answered: this.#answersMs.length / sorted.length,
      medianMs: sorted[sorted.length >> 1]!,
      worstMs: sorted.at(-1)!,
      silentMs: Math.max(...times.slice(1).map((time, i) => time - times[i]!)),
    };
  }

  #isAnswered(): Promise<boolean> {
    return new Promise((resolve) => {
      const { localAddress, headers } = this;
      const signal = AbortSignal.timeout(DEADLINE_MS);
      const request = get(this.url, { localAddress, headers, agent: false, signal }, (response) => {
        response.on('error', () => {
          resolve(false);
        });
        response.on('end', () => {
          resolve(response.statusCode === 200);
        });
        response.resume();
      });
      request.on('error', () => {
        resolve(false);
      });
    });
  }
}
