import { isTooWide } from '../../input/claims/too-wide.js';
import type { ListSink } from '../list.js';
import { ADDRESS_BITS } from '../../net/address.js';
import { parsePrefix, type Prefix } from '../../net/prefix.js';

/** Receives the exits of one file. */
export interface ExitSink extends Pick<ListSink, 'unknown' | 'reject'> {
  /** Receives the address of an exit, without a port, and the day of its last sighting (days since 1970) if known. */
  exit(address: string, lastSeen: number | undefined, position: number): void;
}

/** Collects the exits of all files, because the latest sighting of an address is used. */
export class Exits {
  readonly #exits: Exit[] = [];

  /** Creates the sink for the exits of one file. Its rows are counted in `sink`. */
  sinkFor(sink: ListSink): ExitSink {
    return {
      exit: (address, lastSeen, position) => {
        const prefix = parsePrefix(address);
        if (!prefix) sink.reject('address', position, address);
        else if (isNetwork(prefix)) sink.reject('prefix-length', position, address);
        else this.#exits.push({ prefix, lastSeen, position, sink });
      },
      unknown: () => {
        sink.unknown();
      },
      reject: (reason, position, excerpt) => {
        sink.reject(reason, position, excerpt);
      },
    };
  }

  /** Inserts all exits into their sinks, which keep the first row for an address. Throws FeedError `too-wide`. */
  insert(): void {
    // Exits with a day come first: a missing day is replaced later by the day of the file.
    const latestFirst = this.#exits.toSorted((a, b) => (b.lastSeen ?? -1) - (a.lastSeen ?? -1));
    for (const { prefix, lastSeen, position, sink } of latestFirst) {
      const claim = { type: 'TOR', ...(lastSeen === undefined ? {} : { lastSeen }) };
      sink.prefix(0, prefix, sink.intern(claim), position);
    }
  }
}

interface Exit {
  readonly prefix: Prefix;
  readonly lastSeen: number | undefined;
  readonly position: number;
  readonly sink: ListSink;
}

/**
 * Whether a prefix is not a single address. Excludes prefixes that are too wide, for which the sink refuses the
 * file.
 */
function isNetwork(prefix: Prefix): boolean {
  return prefix.length < ADDRESS_BITS && !isTooWide(prefix);
}
