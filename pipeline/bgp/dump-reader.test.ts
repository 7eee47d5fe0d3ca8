import t from 'tap';
import { Tally } from '../input/tally.js';
import { DumpReader } from './dump-reader.js';
import { MrtFrames } from './mrt-frame.js';
import { Numbering, RouteColumns } from './route-columns.js';
import {
  asPath,
  attribute,
  nlri,
  peerIndexTable,
  record,
  rib,
  ribEntry,
  ribGeneric,
  tableDump,
  TIME,
  u8,
  u16,
  u32,
} from './testing/mrt-bytes.js';
import { countsOf, linesOf } from './testing/route-lines.js';

const PEERS = [
  { address: '192.0.2.10', asn: 64_500, narrow: true },
  { address: '2001:db8::10', asn: 4_200_000_001 },
];
const TABLE = peerIndexTable(PEERS, 'a view');
const GOOD = rib('198.51.100.0/24', [{ peer: 0, path: '64500 1' }]);
const GOOD_LINE = '192.0.2.10|64500|198.51.100.0/24|64500 1';

/** Returns `reason@offset` of every rejected record. */
function rejections({ rejections: held }: Tally): string[] {
  return Object.entries(held).flatMap(([reason, { examples }]) =>
    examples.map(({ position }) => `${reason}@${position}`),
  );
}

t.test('a hand-written record is read, byte by byte (RFC 6396 §4.3)', (t) => {
  const table = Buffer.from(
    '5385d660' +
      '000d0001' +
      '0000001f' + // header: time, TABLE_DUMP_V2 PEER_INDEX_TABLE, length
      'c0000201' +
      '0000' +
      '0002' + // collector, empty view name, two peers
      '00' +
      '0a000001' +
      'c000020a' +
      'fbf4' + // IPv4, AS of 2 bytes: 64500
      '02' +
      '0a000002' +
      'c633640a' +
      '00020000', // IPv4, AS of 4 bytes: 131072
    'hex',
  );
  t.equal(table.length, 12 + 8 + 11 + 13);
  table.writeUInt32BE(table.length - 12, 8);
  const routes = Buffer.from(
    '5385d660' + '000d0002' + '00000000' +
      '00000000' + '13' + 'cb00e0' + '0001' + // sequence, 203.0.224.0/19, one entry
      '0001' + '53840000' + '0012' + // peer 1, originated, 18 bytes of attributes
      '400101' + '00' + // ORIGIN IGP
      '50020' + '00a' + '0202' + '00020000' + '00000007', // AS_PATH, extended length
    'hex',
  ); // prettier-ignore
  routes.writeUInt32BE(routes.length - 12, 8);
  const { lines, tally } = linesOf(Buffer.concat([table, routes]));
  t.strictSame(lines, ['198.51.100.10|131072|203.0.224.0/19|131072 7']);
  t.match(countsOf(tally), { accepted: 2, rejected: 0 });
  t.end();
});

t.test('every subtype with routes is read', (t) => {
  const { lines, tally } = linesOf(
    Buffer.concat([
      TABLE,
      rib('0.0.0.0/0', [{ peer: 0, path: '1' }]),
      rib('2001:db8::/32', [{ peer: 1, path: '2' }]),
      rib('192.0.2.0/25', [{ peer: 0, path: '3', pathId: 9 }]),
      rib('2001:db8::/33', [{ peer: 1, path: '4', pathId: 4_294_967_295 }]),
      ribGeneric('192.0.2.0/26', [{ peer: 0, path: '5' }]),
      ribGeneric('2001:db8::/34', [{ peer: 1, path: '6' }]),
      tableDump({ prefix: '192.0.2.0/27', peer: PEERS[0]!, path: '7' }),
      tableDump({ prefix: '2001:db8::/35', peer: { address: '2001:db8::11', asn: 8 }, path: '8' }),
    ]),
  );
  t.strictSame(lines, [
    '192.0.2.10|64500|0.0.0.0/0|1',
    '2001:db8::10|4200000001|2001:db8::/32|2',
    '192.0.2.10|64500|192.0.2.0/25|9|3',
    '2001:db8::10|4200000001|2001:db8::/33|4294967295|4',
    '192.0.2.10|64500|192.0.2.0/26|5',
    '2001:db8::10|4200000001|2001:db8::/34|6',
    '192.0.2.10|64500|192.0.2.0/27|7',
    '2001:db8::11|8|2001:db8::/35|8',
  ]);
  t.match(countsOf(tally), { accepted: 9, rejected: 0 });
  t.end();
});

t.test('routes without a path identifier have 0 in columns, also after routes with one', (t) => {
  const columns = new RouteColumns(new Numbering());
  const frames = new MrtFrames(new DumpReader(columns, new Tally()));
  const plain = [{ peer: 0, path: '1' }];
  frames.push(
    Buffer.concat([
      TABLE,
      rib('192.0.2.0/25', plain),
      rib('192.0.2.0/26', [{ peer: 0, path: '2', pathId: 7 }]),
      rib('192.0.2.0/27', plain),
      ribGeneric('192.0.2.0/28', plain),
      tableDump({ prefix: '192.0.2.0/29', peer: PEERS[0]!, path: '1' }),
    ]),
  );
  t.same([...columns.pathIds!.values.subarray(0, columns.length)], [0, 7, 0, 0, 0]);
  t.end();
});

t.test('records of other types are skipped and noted', (t) => {
  const { lines, tally } = linesOf(
    Buffer.concat([
      TABLE,
      ...[3, 5, 7, 9, 11, 12].map((subtype) => record(13, subtype, u8(1, 2, 3))),
      record(16, 4, u8(1)),
      record(17, 4, u8(1)),
      ribGeneric('192.0.2.0/24', [{ peer: 0, path: '1' }], 2),
      record(13, 6, Buffer.concat([u32(0), u16(25), u8(1), u8(0), u16(0)])),
      GOOD,
    ]),
  );
  t.strictSame(lines, [GOOD_LINE]);
  t.match(countsOf(tally), { accepted: 12, rejected: 0, notes: { skipped: 10 } });
  t.end();
});

const ENTRY = ribEntry({ peer: 0, path: '64500 1' });
const message = (...parts: readonly Buffer[]): Buffer => Buffer.concat([u32(0), ...parts]);
const withAttributes = (attributes: Buffer): Buffer =>
  record(13, 2, message(nlri('192.0.2.0/24'), u16(1), u16(0), u32(TIME), u16(attributes.length), attributes));

const BAD: readonly (readonly [what: string, reason: string, record: Buffer])[] = [
  ['a peer that is not in the table', 'peer-index', rib('192.0.2.0/24', [{ peer: 2, path: '1' }])],
  ['a prefix too long', 'prefix-length', record(13, 2, message(u8(33), u32(0), u8(0), u16(1), ENTRY))],
  ['an IPv6 prefix too long', 'prefix-length', record(13, 4, message(u8(129), Buffer.alloc(17), u16(0)))],
  ['no prefix', 'record-length', record(13, 2, message())],
  ['half a prefix', 'record-length', record(13, 2, message(u8(32), u16(0)))],
  ['no count', 'record-length', record(13, 2, message(nlri('192.0.2.0/24'), u8(0)))],
  [
    'fewer entries than the count',
    'record-length',
    record(13, 2, message(nlri('192.0.2.0/24'), u16(2), ENTRY)),
  ],
  [
    'more entries than the count',
    'record-length',
    record(13, 2, message(nlri('192.0.2.0/24'), u16(0), ENTRY)),
  ],
  ['half a head of RIB_GENERIC', 'record-length', record(13, 6, message(u16(1)))],
  ['an attribute that passes the end', 'attribute', withAttributes(u8(0x40, 2, 5, 2, 1))],
  ['half a head of an attribute', 'attribute', withAttributes(u8(0x40, 1))],
  ['half a head of a long attribute', 'attribute', withAttributes(u8(0x50, 1, 0))],
  ['no AS_PATH among the attributes', 'attribute', withAttributes(attribute(1, u8(0)))],
  ['half a segment', 'attribute', withAttributes(attribute(2, asPath('1 2').subarray(0, 9)))],
  ['an unknown subtype', 'record-type', record(13, 13, u8(1))],
  ['an unknown address family', 'record-type', record(12, 3, u8(1))],
  ['TABLE_DUMP too short', 'record-length', record(12, 1, Buffer.alloc(21))],
  [
    'TABLE_DUMP with more than its attributes',
    'record-length',
    record(12, 1, Buffer.concat([Buffer.alloc(22), u8(1)])),
  ],
  [
    'TABLE_DUMP with a prefix too long',
    'prefix-length',
    tableDump({ prefix: '192.0.2.0/24', peer: PEERS[0]!, path: '1' }).fill(33, 20, 21),
  ],
  ['TABLE_DUMP without AS_PATH', 'attribute', record(12, 1, Buffer.alloc(22))],
  ['an IPv6 prefix where IPv4 lives', 'reserved', rib('::192.0.2.0/120', [{ peer: 1, path: '1' }])],
];

for (const [what, reason, bad] of BAD) {
  t.test(`${what}: the record is rejected with its offset`, (t) => {
    const { lines, tally } = linesOf(Buffer.concat([TABLE, bad, GOOD]));
    t.strictSame(lines, [GOOD_LINE]);
    t.strictSame(rejections(tally), [`${reason}@${TABLE.length}`]);
    t.equal(tally.accepted, 2);
    t.end();
  });
}

t.test('entries before a bad one in the same record are taken back', (t) => {
  const bad = record(13, 2, message(nlri('192.0.2.0/24'), u16(3), ENTRY, ENTRY, ENTRY.subarray(1)));
  const { lines, tally } = linesOf(Buffer.concat([TABLE, GOOD, bad]));
  t.strictSame(lines, [GOOD_LINE]);
  t.equal(tally.rejected, 1);
  t.end();
});

t.test('a rejection shows the type, length and first bytes of the record', (t) => {
  const { tally } = linesOf(Buffer.concat([TABLE, record(13, 2, u32(0x01020304))]));
  t.equal(tally.rejections['record-length']?.examples[0]?.excerpt, '13/2, 4 bytes: 01020304');
  t.end();
});

t.test('routes before any peer table or after a bad one are rejected', (t) => {
  t.strictSame(rejections(linesOf(Buffer.concat([GOOD, TABLE, GOOD])).tally), ['peer-index@0']);
  const torn = record(13, 1, TABLE.subarray(12, TABLE.length - 1));
  const { lines, tally } = linesOf(Buffer.concat([TABLE, torn, GOOD]));
  t.strictSame(lines, []);
  t.equal(tally.rejections['peer-index']?.count, 2, 'the earlier table is not used');
  t.end();
});

t.test('a second peer table replaces the first, also after TABLE_DUMP routes', (t) => {
  const { lines } = linesOf(
    Buffer.concat([
      TABLE,
      GOOD,
      tableDump({ prefix: '192.0.2.0/24', peer: { address: '192.0.2.77', asn: 77 }, path: '77' }),
      GOOD,
      peerIndexTable([{ address: '192.0.2.99', asn: 99 }]),
      GOOD,
    ]),
  );
  t.strictSame(lines, [
    GOOD_LINE,
    '192.0.2.77|77|192.0.2.0/24|77',
    GOOD_LINE,
    '192.0.2.99|99|198.51.100.0/24|64500 1',
  ]);
  t.end();
});

t.test('host bits of a prefix are masked and noted', (t) => {
  const routes = Buffer.concat([u8(20), u8(192, 0, 0xff), u16(1), ENTRY]);
  const old = tableDump({ prefix: '198.51.100.7/24', peer: PEERS[0]!, path: '1' });
  const { lines, tally } = linesOf(Buffer.concat([TABLE, record(13, 2, message(routes)), old]));
  t.match(lines[0], /\|192\.0\.240\.0\/20\|/);
  t.match(lines[1], /\|198\.51\.100\.0\/24\|/);
  t.equal(tally.notes['host-bits'], 2);
  t.end();
});

t.test('a route without attributes is the collector’s own and has an empty path', (t) => {
  const { lines, tally } = linesOf(Buffer.concat([TABLE, withAttributes(Buffer.alloc(0))]));
  t.strictSame(lines, ['192.0.2.10|64500|192.0.2.0/24|']);
  t.equal(tally.rejected, 0);
  t.end();
});

t.test('of two AS_PATH attributes the first counts', (t) => {
  const twice = Buffer.concat([attribute(2, asPath('1 2')), attribute(2, asPath('3 4'))]);
  t.match(linesOf(Buffer.concat([TABLE, withAttributes(twice)])).lines[0], /\|1 2$/);
  t.end();
});

t.test('every TABLE_DUMP record may have a new peer, up to the maximum number of peers', (t) => {
  const record = tableDump({
    prefix: '198.51.100.0/24',
    peer: { address: '192.0.2.10', asn: 1 },
    path: '1 2',
  });
  const peerAt = 12 + 4 + 4 + 6;
  const [tally, columns] = [new Tally(), new RouteColumns(new Numbering())];
  const frames = new MrtFrames(new DumpReader(columns, tally));
  for (let peer = 0; peer < 0x1_0000 + 10; peer++) {
    record.writeUInt32BE(peer, peerAt);
    frames.push(record);
  }
  t.equal(columns.length, 0x1_0000);
  t.same(new Set(columns.peerNumbers.subarray(0, columns.length)).size, 0x1_0000);
  t.equal(tally.rejections['peer-index']?.count, 10);
  t.end();
});
