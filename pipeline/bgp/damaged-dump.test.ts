import t from 'tap';
import { Tally } from '../input/tally.js';
import { composeRib } from './compose-rib.js';
import { DumpReader } from './dump-reader.js';
import { MrtError } from './mrt-error.js';
import { MrtFrames } from './mrt-frame.js';
import { Numbering, RouteColumns } from './route-columns.js';
import { attribute, asPath, peerIndexTable, rib, ribGeneric, tableDump } from './testing/mrt-bytes.js';
import { ribLines } from './testing/rib-lines.js';
import { countsOf } from './testing/route-lines.js';

const PEERS = [
  { address: '192.0.2.10', asn: 64_500, narrow: true },
  { address: '2001:db8::10', asn: 4_200_000_001 },
];

/** Every structure once, in a few records. */
const DUMP = Buffer.concat([
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

/** The result of reading a dump: lines and tally, or the error. */
function read(
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

const WHOLE = read(DUMP);
if (WHOLE instanceof MrtError) throw WHOLE;

t.test('the undamaged dump is read without rejections', (t) => {
  t.equal(WHOLE.lines.length, 7);
  t.match(countsOf(WHOLE.tally), { accepted: 6, rejected: 0, notes: {} });
  t.end();
});

t.test('hostile: a dump cut at any byte is rejected, or gives the records before the cut', (t) => {
  const ends: number[] = [];
  for (let at = 0; at < DUMP.length; at += 12 + DUMP.readUInt32BE(at + 8)) ends.push(at);
  for (let cut = 0; cut < DUMP.length; cut++) {
    const found = read(DUMP.subarray(0, cut));
    if (found instanceof MrtError) continue;
    t.ok(ends.includes(cut), `cut at ${cut}`);
    t.equal(found.tally.rejected, 0);
    t.equal(found.tally.rows, ends.indexOf(cut));
  }
  t.end();
});

t.test('hostile: whatever bit is flipped, every lost entry is counted', (t) => {
  let refused = 0;
  let counted = 0;
  let silent = 0;
  for (let bit = 0; bit < DUMP.length * 8; bit++) {
    const flipped = Buffer.from(DUMP);
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    const found = read(flipped);
    if (found instanceof MrtError) refused++;
    else if (found.tally.rejected > 0 || Object.keys(found.tally.notes).length > 0) counted++;
    else if (found.lines.length < WHOLE.lines.length) t.fail(`bit ${bit}: ${found.lines.join()}`);
    else silent++;
  }
  t.ok(
    refused > 200 && counted > 800 && silent > 1_000,
    `${refused} refused, ${counted} counted, ${silent} neither`,
  );
  t.end();
});

t.test('hostile: replacing any two bytes causes no crash and no hang', (t) => {
  let state = 1;
  for (let round = 0; round < 1_500; round++) {
    const damaged = Buffer.from(DUMP);
    for (let i = 0; i < 2; i++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      damaged[(state >>> 8) % damaged.length] = state >>> 24;
    }
    const found = read(damaged);
    if (found instanceof MrtError) continue;
    const isCounted = found.tally.rejected > 0 || Object.keys(found.tally.notes).length > 0;
    if (!isCounted && found.lines.length < WHOLE.lines.length) t.fail(`round ${round}`);
  }
  t.end();
});

t.test('hostile: random bytes are rejected', (t) => {
  let state = 1;
  for (let round = 0; round < 200; round++) {
    const noise = Buffer.alloc(300);
    for (let at = 0; at < noise.length; at++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      noise[at] = state >>> 16;
    }
    const found = read(noise);
    if (!(found instanceof MrtError)) t.fail(`round ${round}`);
  }
  t.end();
});

t.test('property: entries and counts do not depend on the chunks', (t) => {
  for (const sizes of [[1], [2, 3], [7, 100, 1], [13], [DUMP.length - 1]]) {
    const found = read(DUMP, sizes);
    t.strictSame(found, WHOLE);
  }
  t.end();
});
