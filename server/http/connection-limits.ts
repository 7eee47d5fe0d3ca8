import { CountPerKey } from '../count-per-key.js';
import { sourceOf } from '../ledger/subject.js';
import { unmapped } from './client-address.js';
import { Place, RankedQueues } from './ranked-queues.js';

/** Limits of open connections of one process. */
export interface ConnectionLimits {
  readonly total: number;
  /** Of one IPv4 address or IPv6 /64. */
  readonly perSource: number;
  /** Returns whether an address has no limit of its own, because it is a trusted proxy. */
  readonly isExempt: (address: string) => boolean;
}

/** Why a connection is refused or ended (decisions 58 and 59). */
export type RefusedFor = 'total' | 'source' | 'idle' | 'pipelining';

/** What is counted: a socket. */
export interface Connection {
  readonly remoteAddress?: string | undefined;
  once(event: 'close', left: () => void): unknown;
  destroy(): unknown;
}

/** Counts the open connections of a process. At its limit, ends idle ones in favour of new ones. */
export class OpenConnections {
  #total = 0;
  readonly #bySource = new CountPerKey();
  readonly #idle = new RankedQueues<CountedConnection>();

  constructor(private readonly limits: ConnectionLimits) {}

  get total(): number {
    return this.#total;
  }

  /**
   * Counts a connection until it closes, or returns the limit that refuses it. `onEnded` gets the connection that is
   * ended for it.
   */
  enter(connection: Connection, onEnded: (idle: Connection) => void): CountedConnection | 'total' | 'source' {
    const { total, perSource, isExempt } = this.limits;
    const address = unmapped(connection.remoteAddress);
    const source = address === undefined || isExempt(address) ? undefined : sourceOf(address);
    if (source !== undefined && this.#bySource.of(source) >= perSource) return 'source';
    if (this.#total >= total) {
      const idle = this.#idle.first();
      if (idle === undefined) return 'total';
      onEnded(idle.connection);
      idle.end();
    }
    return this.#count(connection, source);
  }

  #count(connection: Connection, source: string | undefined): CountedConnection {
    this.#total++;
    if (source !== undefined) this.#bySource.enter(source);
    const counted = new CountedConnection(connection, {
      idle: this.#idle,
      rank: () => (source === undefined ? 0 : rankOf(this.#bySource.of(source))),
      onLeft: () => {
        this.#total--;
        if (source !== undefined) this.#bySource.leave(source);
      },
    });
    counted.markIdle();
    return counted;
  }
}

/**
 * Returns the rank of the idle connections of a source: 1 for one open connection, 2 for two or three, 3 for four to
 * seven. Those of trusted proxies have rank 0.
 */
function rankOf(open: number): number {
  return 32 - Math.clz32(open);
}

interface CountedParts {
  readonly idle: RankedQueues<CountedConnection>;
  /** Returns the rank that the connection has among idle ones. */
  readonly rank: () => number;
  readonly onLeft: () => void;
}

/** A connection that is counted until it closes. */
export class CountedConnection {
  readonly #place = new Place<CountedConnection>(this);
  #hasLeft = false;

  constructor(
    readonly connection: Connection,
    private readonly parts: CountedParts,
  ) {
    connection.once('close', () => {
      this.#leave();
    });
  }

  /** Keeps the connection from being ended: a request is running, or another protocol. */
  markBusy(): void {
    this.#place.leave();
  }

  /** Allows the connection to be ended: no request is running. */
  markIdle(): void {
    if (!this.#hasLeft) this.parts.idle.enter(this.#place, this.parts.rank());
  }

  /** Ends the connection. It no longer counts. */
  end(): void {
    this.#leave();
    this.connection.destroy();
  }

  #leave(): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    this.#place.leave();
    this.parts.onLeft();
  }
}

/**
 * Returns the share of one process in limits for all of them. node:cluster passes connections to the processes in turn,
 * so those of a source are spread evenly.
 */
export function shareOf(limit: number, workers: number): number {
  return Math.ceil(limit / workers);
}
