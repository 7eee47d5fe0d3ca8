import { CountPerKey } from '../count-per-key.js';
import { sourceOf } from '../ledger/subject.js';
import { unmapped } from './client-address.js';

/** Limits of open connections of one process. */
export interface ConnectionLimits {
  readonly total: number;
  /** Of one IPv4 address or IPv6 /64. */
  readonly perSource: number;
  /** Returns whether an address has no limit of its own, because it is a trusted proxy. */
  readonly isExempt: (address: string) => boolean;
}

/** Why a connection is refused or ended (decisions 58 and 59). */
export type RefusedFor = 'total' | 'source' | 'pipelining';

/** What is counted: a socket. */
interface Connection {
  readonly remoteAddress?: string | undefined;
  once(event: 'close', left: () => void): unknown;
}

/** Counts the open connections of a process. */
export class OpenConnections {
  #total = 0;
  readonly #bySource = new CountPerKey();

  constructor(private readonly limits: ConnectionLimits) {}

  get total(): number {
    return this.#total;
  }

  /** Counts a connection until it closes, or returns the limit that refuses it. */
  enter(connection: Connection): 'total' | 'source' | undefined {
    const { total, perSource, isExempt } = this.limits;
    if (this.#total >= total) return 'total';
    const address = unmapped(connection.remoteAddress);
    const source = address === undefined || isExempt(address) ? undefined : sourceOf(address);
    if (source !== undefined) {
      if (this.#bySource.of(source) >= perSource) return 'source';
      this.#bySource.enter(source);
    }
    this.#total++;
    connection.once('close', () => {
      this.#total--;
      if (source !== undefined) this.#bySource.leave(source);
    });
    return undefined;
  }
}

/**
 * Returns the share of one process in limits for all of them. node:cluster passes connections to the processes in turn,
 * so those of a source are spread evenly.
 */
export function shareOf(limit: number, workers: number): number {
  return Math.ceil(limit / workers);
}
