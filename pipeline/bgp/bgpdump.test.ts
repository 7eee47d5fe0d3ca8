import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { PROJECT_ROOT } from '../../fixtures/open-file.js';
import { without } from '../mmdb/testing/oracles.js';
import { bgpdump, parseBgpdump, type BgpdumpLine } from './testing/bgpdump.js';
import {
  asPath,
  attribute,
  peerIndexTable,
  rib,
  ribGeneric,
  tableDump,
  u16,
  u32,
  type PeerText,
  type RouteText,
} from './testing/mrt-bytes.js';
import { normalPath, ribLines } from './testing/rib-lines.js';
import { filesOf, openDump, tryRib } from './testing/rib-trial.js';
import { linesOf } from './testing/route-lines.js';

const skip = without('bgpdump');

/** Publishers' dumps (if present on this machine) and the output of bgpdump for them. */
const DUMPS = join(PROJECT_ROOT, '../shared/data/feeds/rib');
const PRINTED = join(PROJECT_ROOT, '../shared/data/expected/bgpdump');
const skipReal = existsSync(DUMPS) && existsSync(PRINTED) ? false : `no dumps in ${DUMPS}`;

/** The first records of a RouteViews dump, and the output of bgpdump for them. */
const SLICE = join(PROJECT_ROOT, 'fixtures/sources/routeviews/rib.20140523.0600.first-records');

/** Checks that our lines and columns of a dump agree with bgpdump's lines. */
async function agrees(t: Test, dump: Buffer, expected: readonly BgpdumpLine[]): Promise<void> {
  const { lines, tally } = linesOf(dump);
  t.equal(tally.rejected, 0);
  const routes = expected.map(({ route }) => route);
  t.equal(firstDifference(lines, routes), undefined);
  const { rib: columns, tallies } = await tryRib(
    filesOf(t, { 'a/rib.1.1.gz': gzipSync(dump, { level: 1 }) }),
  );
  const unique = withoutRepeats(expected);
  t.equal(firstDifference(ribLines(columns).sort(), unique.map(normalLine).sort()), undefined);
  t.equal(tallies['a/rib.1.1.gz']!.notes.duplicate ?? 0, expected.length - unique.length);
}

/** Omits repeated routes of a peer to a prefix with the same path identifier. */
function withoutRepeats(lines: readonly BgpdumpLine[]): BgpdumpLine[] {
  const seen = new Set<string>();
  return lines.filter(({ key }) => seen.size < seen.add(key).size);
}

function firstDifference(found: readonly string[], expected: readonly string[]): string | undefined {
  const length = Math.max(found.length, expected.length);
  for (let i = 0; i < length; i++) {
    if (found[i] !== expected[i]) return `row ${i}: ${found[i]} instead of ${expected[i]}`;
  }
  return undefined;
}

function normalLine({ fields: { peer, asn, prefix, path } }: BgpdumpLine): string {
  return `${peer}|${asn}|${prefix}|${normalPath(path)}`;
}

function printedOf(t: Test, dump: Buffer): BgpdumpLine[] {
  const path = join(t.testdir({}), 'dump');
  writeFileSync(path, dump);
  return bgpdump(path);
}

const PEERS: readonly PeerText[] = [
  { address: '192.0.2.10', asn: 64500 },
  { address: '2001:db8::10', asn: 4_200_000_001 },
  { address: '198.51.100.7', asn: 64502, narrow: true },
];

const AS_TRANS_PATH = '64502 23456 23456 3';

const GENERATED: Readonly<Record<string, Buffer>> = {
  'every kind of segment': Buffer.concat([
    peerIndexTable(PEERS, 'view'),
    rib('192.0.2.0/24', [
      { peer: 0, path: '64500 1 2 3' },
      { peer: 1, path: '4200000001 4200000001 7 {8,9}' },
      { peer: 2, path: '64502 38266 {38266}' },
    ]),
    rib('0.0.0.0/0', [{ peer: 2, path: '(65001 65002) 7 8' }]),
    rib('10.0.0.0/9', [{ peer: 2, path: '[65001,65002] 7 {8} 9' }]),
    rib('203.0.113.255/32', [{ peer: 0, path: '' }]),
    rib('2001:db8::/33', [{ peer: 1, path: '1 2' }]),
    rib('::/0', [{ peer: 1, path: '{4}' }]),
  ]),
  'ADD-PATH': Buffer.concat([
    peerIndexTable(PEERS),
    rib('192.0.2.0/24', [
      { peer: 0, path: '1 2', pathId: 0 },
      { peer: 0, path: '1 2', pathId: 4_294_967_295 },
      { peer: 2, path: '1 3', pathId: 7 },
    ]),
    rib('2001:db8:1::/48', [{ peer: 1, path: '1 3', pathId: 7 }]),
  ]),
  'attributes of all sizes, MP_REACH_NLRI in full, AS4_PATH where it does not belong': Buffer.concat([
    peerIndexTable(PEERS),
    rib('192.0.2.0/24', [
      { peer: 0, path: '1 2', more: attribute(32, Buffer.alloc(600)) },
      { peer: 1, path: '1 3', more: attribute(17, asPath('9 9')) },
      { peer: 2, path: Array.from({ length: 120 }, (_, i) => i + 1).join(' ') },
    ]),
    rib('2001:db8:1::/48', [
      {
        peer: 1,
        path: '5 6',
        more: attribute(14, Buffer.from('00020110' + '20010db8'.padEnd(32, '0') + '00', 'hex')),
      },
    ]),
  ]),
  'TABLE_DUMP with and without AS4_PATH': Buffer.concat([
    tableDump({ prefix: '192.0.2.0/24', peer: PEERS[0]!, path: '64500 1 {2,3}' }),
    tableDump({ prefix: '192.0.2.0/24', peer: PEERS[2]!, path: '64502 7' }),
    tableDump({
      prefix: '198.51.100.0/24',
      peer: PEERS[2]!,
      path: AS_TRANS_PATH,
      more: attribute(17, asPath('131072 131073 3')),
    }),
    tableDump({
      prefix: '203.0.113.0/24',
      peer: PEERS[2]!,
      path: '64502 23456',
      more: attribute(17, asPath('1 2 131072')),
    }),
    tableDump({
      prefix: '2001:db8::/32',
      peer: { address: '2001:db8::1', asn: 64501 },
      path: '64501 23456 {5,23456}',
      more: attribute(17, asPath('131072 {5,131073}')),
    }),
  ]),
};

for (const [what, dump] of Object.entries(GENERATED)) {
  t.test(`we read what bgpdump prints: ${what}`, { skip }, async (t) => {
    await agrees(t, dump, printedOf(t, dump));
  });
}
t.test('a record above 64 KB is read as bgpdump reads it', { skip }, async (t) => {
  const peers = Array.from({ length: 2_000 }, (_, i) => {
    return { address: `10.0.${i >> 8}.${i & 255}`, asn: 1 + i };
  });
  const routes: RouteText[] = peers.map(({ asn }, peer) => ({ peer, path: `${asn} 7 8 9 10 11` }));
  const dump = Buffer.concat([peerIndexTable(peers), rib('192.0.2.0/24', routes)]);
  t.ok(dump.length > 0x1_0000 * 1.5);
  await agrees(t, dump, printedOf(t, dump));
});

t.test('generated tables are read as bgpdump reads them', { skip }, async (t) => {
  for (let seed = 1; seed <= 5; seed++) {
    const dump = randomDump(seed);
    await agrees(t, dump, printedOf(t, dump));
  }
});

/** Some hundred routes with an occasional oddity of every kind. */
function randomDump(seed: number): Buffer {
  let state = seed;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % limit;
  };
  const asn = (): number => (below(10) === 0 ? 4_200_000_000 + below(9) : 1 + below(300));
  const segment = (): string => {
    const asns = Array.from({ length: 1 + below(4) }, asn);
    const kind = below(40);
    if (kind === 0) return `{${asns.join(',')}}`;
    return kind === 1 ? `(${asns.join(' ')})` : asns.join(' ');
  };
  const prefix = (): string => {
    if (below(3) > 0) return `${1 + below(200)}.${below(256)}.0.0/${16 + below(1)}`;
    return `2001:${(1 + below(0xfff0)).toString(16)}::/32`;
  };
  const records = Array.from({ length: 60 }, () => {
    const isAddPath = below(4) === 0;
    const routes = Array.from({ length: 1 + below(3) }, (_, i): RouteText => {
      const path = Array.from({ length: 1 + below(3) }, segment).join(' ');
      return { peer: i, path, ...(isAddPath && { pathId: below(0xff_ffff) }) };
    });
    return rib(prefix(), routes);
  });
  return Buffer.concat([peerIndexTable(PEERS), ...records]);
}

t.test('the first records of a RouteViews dump are read as bgpdump reads them', async (t) => {
  const dump = gunzipSync(readFileSync(`${SLICE}.gz`));
  const printed = parseBgpdump(gunzipSync(readFileSync(`${SLICE}.bgpdump.gz`)).toString('latin1'));
  t.equal(printed.length, 2379);
  await agrees(t, dump, printed);
  if (skip === false) t.same(printedOf(t, dump), printed);
});

t.test('a dump that ends inside a record, or inside its container, is rejected as truncated', async (t) => {
  const dump = gunzipSync(readFileSync(`${SLICE}.gz`));
  const cuts = [gzipSync(dump.subarray(0, -100)), readFileSync(`${SLICE}.gz`).subarray(0, -100)];
  for (const cut of cuts) {
    const files = filesOf(t, { 'a/rib.1.1.gz': cut });
    await t.rejects(tryRib(files), { name: 'FeedError', refusal: 'truncated' });
  }
});

t.test('a record above 64 KB with a wrong peer index is lost, and counted', (t) => {
  const peers = Array.from({ length: 2_000 }, (_, i) => ({
    address: `10.0.${i >> 8}.${i & 255}`,
    asn: 1 + i,
  }));
  const routes: RouteText[] = peers.map(({ asn }, peer) => ({ peer, path: `${asn} 7 8 9 10 11` }));
  const table = peerIndexTable(peers);
  const dump = Buffer.concat([
    table,
    rib('192.0.2.0/24', routes),
    rib('198.51.100.0/24', routes.slice(0, 1)),
  ]);
  // The first entry's peer index: behind the header and 4 + 1 + 3 + 2 bytes of the record.
  dump.writeUInt16BE(0xffff, table.length + 12 + 10);
  const { lines, tally } = linesOf(dump);
  t.equal(lines.length, 1);
  t.equal(tally.rejections['peer-index']?.count, 1);
  t.end();
});

t.test('publishers\u2019 dumps are read as bgpdump reads them', { skip: skipReal }, async (t) => {
  for (const name of readdirSync(PRINTED)) {
    const dump = gunzipSync(readFileSync(join(DUMPS, name.replace(/\.bgp\.gz$/, ''))));
    const printed = gunzipSync(readFileSync(join(PRINTED, name))).toString('latin1');
    await t.test(name, (t) => agrees(t, dump, parseBgpdump(printed)));
  }
});

t.test('a truncated dump is rejected', { skip: skipReal }, async (t) => {
  const name = 'rib.20140523.0600.slice.bz2';
  await t.rejects(tryRib([openDump(join(DUMPS, name), name)]), { name: 'FeedError', refusal: 'truncated' });
});

t.test('in a damaged copy, on which bgpdump fails, every lost record is counted', { skip: skipReal }, (t) => {
  const dump = gunzipSync(readFileSync(join(DUMPS, 'bview.64k_stream_overflow.gz')));
  const whole = linesOf(dump).lines.length;
  const copy = Buffer.from(dump);
  // The first entry's peer index: behind two headers, the table, and 4 + 1 + 6 + 2 bytes of its record.
  const table = 12 + dump.readUInt32BE(8);
  copy.writeUInt16BE(0xffff, table + 12 + 13);
  const { lines, tally } = linesOf(copy);
  t.equal(lines.length, 0);
  t.equal(tally.rejections['peer-index']?.count, 1);
  t.ok(whole > 0);
  if (skip === false) t.throws(() => printedOf(t, copy));
  t.end();
});

t.test('RIB_GENERIC gives the same routes as the subtype of its family', (t) => {
  const routes = [{ peer: 0, path: '64500 1 2 3' }];
  const table = peerIndexTable(PEERS);
  for (const prefix of ['192.0.2.0/24', '2001:db8::/32']) {
    const specific = linesOf(Buffer.concat([table, rib(prefix, routes)]));
    t.strictSame(linesOf(Buffer.concat([table, ribGeneric(prefix, routes)])).lines, specific.lines);
    t.equal(specific.lines.length, 1);
  }
  t.end();
});

t.test('AS4_PATH is ignored after aggregation by an old speaker', (t) => {
  const route = (aggregator: number): Buffer =>
    tableDump({
      prefix: '192.0.2.0/24',
      peer: PEERS[2]!,
      path: AS_TRANS_PATH,
      more: Buffer.concat([
        attribute(7, Buffer.concat([u16(aggregator), u32(0x0a000001)])),
        attribute(17, asPath('131072 131073 3')),
        attribute(18, u32(131_073, 0x0a000001)),
      ]),
    });
  t.match(linesOf(route(23_456)).lines[0], /\|64502 131072 131073 3$/);
  t.match(linesOf(route(64_999)).lines[0], /\|64502 23456 23456 3$/);
  t.end();
});
