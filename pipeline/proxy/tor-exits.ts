import { isTooWide } from '../lists/collect-list.js';
import type { ListSink } from '../lists/list.js';
import { ADDRESS_BITS } from '../net/address.js';
import { parsePrefix, type Prefix } from '../net/prefix.js';

/** Where the exits of one file go. */
export interface ExitSink extends Pick<ListSink, 'unknown' | 'reject'> {
  /** An address (without a port) that was an exit, lastly on this day (days since 1970) where the file says so. */
  exit(address: string, lastSeen: number | undefined, position: number): void;
}

/** The exits of all files, kept until all are read: of an address the latest sighting counts. */
export class Exits {
  readonly #exits: Exit[] = [];

  /** The sink for the exits of one file, whose rows are counted in `sink`. */
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

  /** Puts all of them into their sinks, which keep the first row about an address. Throws FeedError `too-wide`. */
  insert(): void {
    // A day that the file tells is better than the day of the file, which is filled in later.
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

/** Exits are addresses. What is wider than any operator's network is left to the sink, which refuses the file. */
function isNetwork(prefix: Prefix): boolean {
  return prefix.length < ADDRESS_BITS && !isTooWide(prefix);
}
