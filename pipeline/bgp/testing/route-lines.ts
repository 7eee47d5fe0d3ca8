import { Tally } from '../../input/tally.js';
import { formatAddress } from '../../net/address.js';
import { formatPrefix, type Prefix } from '../../net/prefix.js';
import { AsPath } from '../as-path.js';
import { DumpReader } from '../dump-reader.js';
import { MrtFrames } from '../mrt-frame.js';
import type { Peer } from '../peer-index-table.js';
import type { DumpRoute, RouteSink } from '../route-sink.js';

/**
 * Prints routes as `bgpdump -m` does: `peer|AS|prefix|[path identifier|]path`. Omits the routes of rejected records.
 */
export class RouteLines implements RouteSink {
  readonly lines: string[] = [];
  readonly #path = new AsPath();
  readonly #peers: Peer[] = [];
  #prefix = '';
  #hasPathIds = false;
  #begin = 0;

  beginPeers(): void {
    this.#peers.length = 0;
  }

  peer(peer: Peer): boolean {
    this.#peers.push(peer);
    return true;
  }

  begin(prefix: Prefix, _count: number, hasPathIds: boolean): void {
    this.#begin = this.lines.length;
    this.#prefix = formatPrefix(prefix.address, prefix.length, prefix.family);
    this.#hasPathIds = hasPathIds;
  }

  route({ peer, pathId, bytes, pathStart, pathEnd }: DumpRoute): boolean {
    if (!this.#path.read(bytes, pathStart, pathEnd)) return false;
    const { address, family, asn } = this.#peers[peer]!;
    const path = pathText(Buffer.from(bytes.buffer, bytes.byteOffset + pathStart, pathEnd - pathStart));
    const identifier = this.#hasPathIds ? `${pathId}|` : '';
    this.lines.push(`${formatAddress(address, family)}|${asn}|${this.#prefix}|${identifier}${path}`);
    return true;
  }

  keep(): void {
    // The lines were already added.
  }

  takeBack(): void {
    this.lines.length = this.#begin;
  }
}

/** Returns the lines of a whole dump, and the tally of its records. */
export function linesOf(dump: Buffer): { lines: string[]; tally: Tally } {
  const sink = new RouteLines();
  const tally = new Tally();
  const frames = new MrtFrames(new DumpReader(sink, tally));
  frames.push(dump);
  frames.end();
  return { lines: sink.lines, tally };
}

/** Returns the counts of a tally, without examples. */
export function countsOf({
  accepted,
  rejected,
  notes,
}: Tally): Pick<Tally, 'accepted' | 'rejected' | 'notes'> {
  return { accepted, rejected, notes };
}

const BRACKETS: Readonly<Record<number, readonly [open: string, between: string, close: string]>> = {
  1: ['{', ',', '}'],
  2: ['', ' ', ''],
  3: ['(', ' ', ')'],
  4: ['[', ',', ']'],
};

function pathText(value: Buffer): string {
  const segments: string[] = [];
  for (let at = 0; at < value.length;) {
    const [open, between, close] = BRACKETS[value[at]!]!;
    const asns = Array.from({ length: value[at + 1]! }, (_, i) => value.readUInt32BE(at + 2 + 4 * i));
    segments.push(`${open}${asns.join(between)}${close}`);
    at += 2 + 4 * asns.length;
  }
  return segments.join(' ');
}
