import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { Tally } from '../input/tally.js';
import { composeRib } from './compose-rib.js';
import { DumpReader } from './dump-reader.js';
import { MrtFrames } from './mrt-frame.js';
import { loadRib, saveRib, type Rib } from './rib.js';
import { Numbering, RouteColumns } from './route-columns.js';
import { peerIndexTable, rib, tableDump, type RouteText } from './testing/mrt-bytes.js';
import { ribLines } from './testing/rib-lines.js';
import { countsOf } from './testing/route-lines.js';

const PEERS = [
  { address: '192.0.2.1', asn: 1 },
  { address: '192.0.2.2', asn: 2 },
  { address: '2001:db8::3', asn: 3 },
];

/** Joins dumps that are read in turns, with this many bytes of each. */
function compose(
  dumps: readonly Buffer[],
  turns: readonly number[] = [1 << 20],
): { rib: Rib; tallies: Tally[] } {
  const numbering = new Numbering();
  const tallies = dumps.map(() => new Tally());
  const columns = dumps.map(() => new RouteColumns(numbering));
  const frames = columns.map((routes, i) => new MrtFrames(new DumpReader(routes, tallies[i]!)));
  const read = dumps.map(() => 0);
  for (let turn = 0; read.some((at, i) => at < dumps[i]!.length); turn++) {
    const dump = turn % dumps.length;
    const size = turns[turn % turns.length]!;
    frames[dump]!.push(dumps[dump]!.subarray(read[dump], read[dump]! + size));
    read[dump]! += size;
  }
  const parts = columns.map((routes, i) => ({ routes, tally: tallies[i]!, collector: i }));
  const names = dumps.map((_, i) => `rrc0${i}`);
  const collectors = { names, times: new Float64Array(dumps.length) };
  return { rib: composeRib(parts, numbering, collectors), tallies };
}

const dumpOf = (...records: readonly Buffer[]): Buffer => Buffer.concat([peerIndexTable(PEERS), ...records]);

t.test('prefixes are in address order, a covering prefix before those inside it', (t) => {
  const prefixes = [
    '10.1.0.0/16',
    '2001:db8::/32',
    '10.0.0.0/8',
    '10.0.0.0/9',
    '255.255.255.255/32',
    '0.0.0.0/0',
    '9.255.255.0/24',
    '2001:db8::/48',
    '::/0',
    '2001:db7:ffff::/48',
    'ffff::/16',
  ];
  const { rib: found } = compose([
    dumpOf(...prefixes.map((prefix) => rib(prefix, [{ peer: 0, path: '1' }]))),
  ]);
  t.strictSame(
    ribLines(found).map((line) => line.split('|')[2]),
    [
      '::/0',
      '0.0.0.0/0',
      '9.255.255.0/24',
      '10.0.0.0/8',
      '10.0.0.0/9',
      '10.1.0.0/16',
      '255.255.255.255/32',
      '2001:db7:ffff::/48',
      '2001:db8::/32',
      '2001:db8::/48',
      'ffff::/16',
    ],
  );
  t.end();
});

t.test('a repeated route of a peer is dropped and noted in the dump that repeats it', (t) => {
  const { rib: found, tallies } = compose([
    dumpOf(
      rib('192.0.2.0/24', [
        { peer: 0, path: '1 5' },
        { peer: 0, path: '1 6' },
        { peer: 1, path: '2 5' },
      ]),
      rib('198.51.100.0/24', [{ peer: 0, path: '1' }]),
      rib('192.0.2.0/24', [{ peer: 1, path: '2 7' }]),
    ),
    dumpOf(
      rib('192.0.2.0/24', [
        { peer: 1, path: '2 8' },
        { peer: 2, path: '3 5' },
      ]),
    ),
  ]);
  t.strictSame(ribLines(found), [
    '192.0.2.1|1|192.0.2.0/24|1 5|0',
    '192.0.2.2|2|192.0.2.0/24|2 5|0',
    '2001:db8::3|3|192.0.2.0/24|3 5|0',
    '192.0.2.1|1|198.51.100.0/24|1|0',
  ]);
  t.strictSame(
    tallies.map(({ notes }) => notes.duplicate),
    [2, 1],
  );
  t.end();
});

t.test('with ADD-PATH a peer has one route per path identifier', (t) => {
  const routes: RouteText[] = [
    { peer: 0, path: '1 5', pathId: 7 },
    { peer: 0, path: '1 5', pathId: 8 },
    { peer: 0, path: '1 6', pathId: 7 },
    { peer: 0, path: '1 6', pathId: 4_294_967_295 },
    { peer: 0, path: '1 7', pathId: 8 },
    { peer: 0, path: '1 8', pathId: 4_294_967_295 },
    { peer: 1, path: '2 6', pathId: 7 },
  ];
  const { rib: found, tallies } = compose([
    dumpOf(rib('198.51.100.0/24', [{ peer: 2, path: '9' }]), rib('192.0.2.0/24', routes)),
  ]);
  t.strictSame(
    ribLines(found).map((line) => line.split('|')[3]),
    ['1 5', '1 5', '1 6', '2 6', '9'],
  );
  t.equal(tallies[0]!.notes.duplicate, 3);
  t.end();
});

t.test('a peer of several collectors is one peer with the first collector', (t) => {
  const old = { address: '192.0.2.1', asn: 1 };
  const { rib: found } = compose([
    Buffer.concat([peerIndexTable(PEERS.slice(1)), rib('192.0.2.0/24', [{ peer: 0, path: '2' }])]),
    dumpOf(
      rib(
        '198.51.100.0/24',
        PEERS.map(({ asn }, peer) => ({ peer, path: `${asn}` })),
      ),
    ),
    tableDump({ prefix: '203.0.113.0/24', peer: old, path: '1' }),
    tableDump({ prefix: '203.0.114.0/24', peer: { ...old, asn: 9 }, path: '9' }),
  ]);
  t.strictSame([...found.peers.asns], [2, 1, 3, 9]);
  t.strictSame([...found.peers.collectors], [0, 1, 1, 3]);
  t.strictSame([...found.peers.families], [4, 4, 6, 4]);
  t.end();
});

t.test('prefixes, peers and paths without an entry are omitted', (t) => {
  const bad = rib('203.0.113.0/24', [
    { peer: 2, path: '3 99' },
    { peer: 3, path: '4' },
  ]);
  const { rib: found } = compose([
    dumpOf(
      bad,
      rib('203.0.112.0/24', []),
      rib('192.0.2.0/24', [
        { peer: 1, path: '2 5' },
        { peer: 1, path: '2 98' },
      ]),
    ),
  ]);
  t.strictSame(ribLines(found), ['192.0.2.2|2|192.0.2.0/24|2 5|0']);
  t.equal(found.prefixes.lengths.length, 1);
  t.strictSame([...found.peers.asns], [2]);
  t.strictSame([...found.paths.asns], [2, 5]);
  t.strictSame([...found.entries.starts], [0, 1]);
  t.end();
});

/** Returns the bytes of the column files. */
function saved(t: Test, found: Rib): string[] {
  const dir = t.testdir({});
  saveRib(dir, found);
  return ['prefixes', 'paths', 'peers', 'entries', 'collectors'].map((name) =>
    readFileSync(join(dir, `${name}.columns`), 'latin1'),
  );
}

function someDump(seed: number): Buffer {
  let state = seed;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % limit;
  };
  const records = Array.from({ length: 300 }, () => {
    const prefix =
      below(4) === 0
        ? `2001:${(1 + below(900)).toString(16)}::/32`
        : `${1 + below(200)}.0.0.0/${8 + below(3)}`;
    const routes = Array.from({ length: 1 + below(3) }, () => {
      return { peer: below(3), path: `${1 + below(4)} ${1 + below(40)}` };
    });
    return rib(prefix, routes);
  });
  return dumpOf(...records);
}

t.test('property: the columns are the same bytes however the dumps are interleaved', (t) => {
  const dumps = [someDump(1), someDump(2), someDump(3)];
  const { rib: inOrder } = compose(dumps);
  const expected = saved(t, inOrder);
  for (const turns of [[100], [5_000, 10, 900], [10, 900, 5_000], [1, 1, 1_000_000]]) {
    const { rib: found } = compose(dumps, turns);
    t.strictSame(saved(t, found), expected);
  }
  t.end();
});

t.test('a saved RIB is loaded unchanged', (t) => {
  const { rib: found } = compose([someDump(4)]);
  const dir = t.testdir({});
  saveRib(dir, found);
  t.strictSame(ribLines(loadRib(dir)), ribLines(found));
  t.strictSame(loadRib(dir).collectors.names, ['rrc00']);
  t.end();
});

t.test('no dumps make an empty RIB', (t) => {
  const { rib: found } = compose([]);
  t.strictSame([...found.entries.starts], [0]);
  t.strictSame([...found.paths.offsets], [0]);
  t.end();
});

t.test('a peer table with more peers than can be numbered is rejected with its routes', (t) => {
  const tables = [0, 1, 2].map((i) => {
    const peers = Array.from({ length: 30_000 }, (_, asn) => ({ address: `10.${i}.0.0`, asn }));
    return Buffer.concat([peerIndexTable(peers), rib(`192.0.${i}.0/24`, [{ peer: 7, path: '1' }])]);
  });
  const { rib: found, tallies } = compose([Buffer.concat(tables)]);
  t.equal(found.prefixes.lengths.length, 2);
  t.match(countsOf(tallies[0]!), { accepted: 4, rejected: 2 });
  t.equal(tallies[0]!.rejections['peer-index']!.count, 2);
  t.end();
});
