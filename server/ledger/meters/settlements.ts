import { OUT_OF_MEMORY, type Admissions } from './admission-batch.js';
import { holdKeys } from '../redis-keys.js';

/** A charge and what is needed to refund it. Stored in Redis as JSON. */
export interface HeldPrice {
  readonly id: string;
  /** Prefix of the shard's keys. */
  readonly shard: string;
  /** The charged keys, as `priceKeys` lists them. Midnight may pass before the settlement. */
  readonly keys: readonly string[];
  /** Whether the keys are three days: those of an IPv6 source and of the networks around it. */
  readonly isWide?: boolean | undefined;
  readonly credits: number;
  /** `YYYYMMDD` */
  readonly day: string;
}

/** The time to the refund by the reaper. */
export const HOLD_MS = 105_000;
const RETRY_MS = 500;
/** The number of settlements that wait for Redis. Further ones are left to the reaper. */
const MOST_WAITING = 10_000;

interface Unsettled {
  readonly held: HeldPrice;
  readonly succeeded: boolean;
  readonly until: number;
}

/** Settles holds. While Redis is unavailable, settlements are retried until the reaper is due. */
export class Settlements {
  #unsettled: Unsettled[] = [];
  #retry: NodeJS.Timeout | undefined;

  constructor(private readonly batch: Admissions) {}

  /** Settles a hold. Resolves after the first try: true when this call has settled it. Never rejects. */
  settle(held: HeldPrice, succeeded: boolean): Promise<boolean> {
    return this.#try({ held, succeeded, until: Date.now() + HOLD_MS });
  }

  close(): void {
    clearTimeout(this.#retry);
  }

  #try(unsettled: Unsettled): Promise<boolean> {
    const { held, succeeded } = unsettled;
    const isWide = held.isWide === true;
    const hasAccount = held.keys.length > 1 && !isWide;
    const args = [
      isWide ? 'S' : 's',
      hasAccount ? '0' : '-1',
      String(held.credits),
      held.day,
      held.id,
      succeeded ? '1' : '0',
    ];
    return new Promise((resolve) => {
      this.batch.add([...holdKeys(held.shard), ...held.keys], args, (reply) => {
        if (reply === undefined || reply === OUT_OF_MEMORY) this.#later(unsettled);
        resolve(reply === 0);
      });
    });
  }

  #later(unsettled: Unsettled): void {
    if (this.#unsettled.length >= MOST_WAITING || Date.now() > unsettled.until) return;
    this.#unsettled.push(unsettled);
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined;
      const again = this.#unsettled;
      this.#unsettled = [];
      for (const one of again) void this.#try(one);
    }, RETRY_MS).unref();
  }
}
