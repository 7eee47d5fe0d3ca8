import {
  PATH_ENDS_IN_SET,
  PATH_HAS_CONFEDERATION,
  PATH_HAS_NO_ORIGIN,
  PATH_HAS_SET,
} from '../../bgp/path-table.js';
import type { Rib } from '../../bgp/rib.js';
import { compareAddresses } from '../../net/address.js';
import { parsePrefix } from '../../net/prefix.js';

/**
 * Returns a hand-written RIB: entries by prefix. An entry is a path such as `1 2 3`, `1 2 2 {3}` or `1 (65001) 2
 * {3,4}`. Its session is that of the first AS, or named before a colon: `7: 1 2 3` is a session of AS 7, `1b: 1 2 3` a
 * second session of AS 1. Sessions and paths are numbered in the order of the entries; prefixes are sorted by address.
 */
export function smallRib(entries: Readonly<Record<string, readonly string[]>>): Rib {
  const prefixes = Object.entries(entries)
    .map(([text, paths]) => ({ ...parsePrefix(text)!, paths }))
    .sort((a, b) => compareAddresses(a.address, b.address) || a.length - b.length);
  const peers = new Numbered();
  const paths = new Numbered();
  const starts = [0];
  const entryPeers: number[] = [];
  const entryPaths: number[] = [];
  for (const prefix of prefixes) {
    for (const entry of prefix.paths) {
      const [, session, path] = /^(?:(\w+):)?\s*(.*)$/.exec(entry)!;
      entryPeers.push(peers.numberOf(session ?? /^\d*/.exec(path!)![0]));
      entryPaths.push(paths.numberOf(path!));
    }
    starts.push(entryPeers.length);
  }
  return {
    prefixes: {
      addresses: Uint32Array.from(prefixes.flatMap(({ address }) => [...address])),
      lengths: Uint8Array.from(prefixes, ({ length }) => length),
    },
    paths: pathTable(paths.texts),
    peers: peerColumns(peers.texts),
    entries: {
      starts: Uint32Array.from(starts),
      peers: Uint16Array.from(entryPeers),
      paths: Uint32Array.from(entryPaths),
    },
    collectors: { names: ['test'], times: Float64Array.of(0) },
  };
}

/** Returns paths in the notation of `smallRib` as columns: path p is the p-th text. */
export function pathTable(texts: readonly string[]): Rib['paths'] {
  const paths = texts.map(readPath);
  const offsets = [0];
  for (const { asns } of paths) offsets.push(offsets.at(-1)! + asns.length);
  return {
    offsets: Uint32Array.from(offsets),
    asns: Uint32Array.from(paths.flatMap(({ asns }) => asns)),
    flags: Uint8Array.from(paths, ({ flags }) => flags),
  };
}

/** Distinct texts, numbered in the order of first use. */
class Numbered {
  readonly #numbers = new Map<string, number>();

  get texts(): readonly string[] {
    return [...this.#numbers.keys()];
  }

  numberOf(text: string): number {
    const number = this.#numbers.get(text) ?? this.#numbers.size;
    this.#numbers.set(text, number);
    return number;
  }
}

function peerColumns(sessions: readonly string[]): Rib['peers'] {
  return {
    addresses: Uint32Array.from(sessions.flatMap((_, i) => [0, 0, 0, 0xc000_0200 + i])),
    families: new Uint8Array(sessions.length).fill(4),
    asns: Uint32Array.from(sessions, (session) => Number.parseInt(session, 10)),
    collectors: new Uint16Array(sessions.length),
  };
}

function readPath(text: string): { asns: readonly number[]; flags: number } {
  const asns: number[] = [];
  let flags = text.trim() === '' ? PATH_HAS_NO_ORIGIN : 0;
  const segments = text.match(/\{[^}]*\}|\([^)]*\)|\[[^\]]*\]|\d+/g) ?? [];
  segments.forEach((segment, i) => {
    if (/^\d/.test(segment)) asns.push(Number(segment));
    else if (!segment.startsWith('{')) flags |= PATH_HAS_CONFEDERATION;
    else {
      flags |= PATH_HAS_SET;
      if (i < segments.length - 1) return;
      const members = new Set(segment.match(/\d+/g));
      flags |= PATH_ENDS_IN_SET | (members.size === 1 ? 0 : PATH_HAS_NO_ORIGIN);
      if (members.size === 1) asns.push(Number([...members][0]));
    }
  });
  return { asns, flags };
}
