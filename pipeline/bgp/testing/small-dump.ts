import { Tally } from '../../input/tally.js';
import { composeRib } from '../compose-rib.js';
import { DumpReader } from '../dump-reader.js';
import { MrtError } from '../mrt-error.js';
import { MrtFrames } from '../mrt-frame.js';
import { Numbering, RouteColumns } from '../route-columns.js';
import { attribute, asPath, peerIndexTable, rib, ribGeneric, tableDump } from './mrt-bytes.js';
import { ribLines } from './rib-lines.js';

const PEERS = [
  { address: '192.0.2.10', asn: 64_500, narrow: true },
  { address: '2001:db8::10', asn: 4_200_000_001 },
];

/** Every structure once, in a few records. */
export const DUMP = Buffer.concat([
  peerIndexTable(PEERS, 'view'),
  rib('192.0.2.0/24', [
    { peer: 0, path: '64500 1 2', more: attribute(32, Buffer.alloc(12), { extended: true }) },
    { peer: 1, path: '4200000001 1 {2,3}' },
  ]),
  rib('198.51.100.0/22', [
    { peer: 0, path: '64500 1 2', pathId: 5 },
    { peer: 0, path: '64500 1 3', pathId: 6 },
  ]),
  rib('2001:db8::/32', [{ peer: 1, path: '(65001) 4200000001 7' }]),
  ribGeneric('2001:db8:1::/48', [{ peer: 1, path: '4200000001 8' }]),
  tableDump({
    prefix: '203.0.113.0/24',
    peer: { address: '192.0.2.77', asn: 77 },
    path: '77 23456',
    more: attribute(17, asPath('131072')),
  }),
]);

/** Reads a dump in pieces of these sizes. Returns lines and tally, or the error. */
export function read(
  dump: Buffer,
  sizes: readonly number[] = [dump.length],
): { lines: string[]; tally: Tally } | MrtError {
  const numbering = new Numbering();
  const routes = new RouteColumns(numbering);
  const tally = new Tally();
  const frames = new MrtFrames(new DumpReader(routes, tally));
  try {
    for (let at = 0, i = 0; at < dump.length; i++) {
      const size = sizes[i % sizes.length]!;
      frames.push(dump.subarray(at, at + size));
      at += size;
    }
    frames.end();
  } catch (error) {
    if (error instanceof MrtError) return error;
    throw error;
  }
  const collectors = { names: ['a'], times: Float64Array.of(0) };
  return { lines: ribLines(composeRib([{ routes, tally, collector: 0 }], numbering, collectors)), tally };
}
