import t from 'tap';
import { formatAddress, parseAddress } from '../../net/address.js';
import { formatPrefix, parsePrefix, PrefixBuffer } from '../../net/prefix.js';
import { parseSpecialPurposeRegistry } from '../../net/special-purpose.js';
import { FlatTable } from '../../table/flat-table.js';
import { reservedSpace, withheldSpace } from '../../table/reserved-space.js';
import type { Claim } from './claim.js';
import { LayeredClaims, type ClaimedNetworks } from './layered-claims.js';
import type { ClaimSink } from './claim-sink.js';

const REGISTRY = `<registry>
  <record><address>10.0.0.0/8</address><global>False</global></record>
  <record><address>2001:db8::/32</address><global>False</global></record>
</registry>`;
const reserved = reservedSpace(parseSpecialPurposeRegistry(REGISTRY));

/** A collection of one layer and functions that write rows to it. */
function collect(options: { reserved?: FlatTable; foldMapped?: boolean } = {}) {
  const claims = new LayeredClaims(1, options.reserved ?? reserved, {
    foldMapped: options.foldMapped ?? false,
  });
  const sink = claims.sinkFor({ id: 'feed/file' });
  return {
    prefix: (text: string, country = 'AU', position = 1) => {
      insert(sink, 0, text, { claim: { country }, position });
    },
    range: (start: string, end: string, country = 'AU', position = 1) => {
      const [first, last] = [parseAddress(start)!.address, parseAddress(end)!.address];
      sink.range(0, first, last, sink.intern({ country }), position);
    },
    sink,
    tally: claims.tallies.get('feed/file')!,
    networks: () => networksOf(claims.finish((said) => said[0])),
  };
}

function insert(sink: ClaimSink, layer: number, text: string, row: { claim: Claim; position: number }): void {
  const prefix = new PrefixBuffer();
  if (!prefix.parse(text)) throw new Error(`${text} is no prefix`);
  sink.prefix(layer, prefix, sink.intern(row.claim), row.position);
}

function networksOf({ table, claims }: ClaimedNetworks): string[] {
  const networks: string[] = [];
  table.forEach((address, length, id) => {
    networks.push(`${formatPrefix(address, length)} ${claims[id]!.country ?? '-'}`);
  });
  return networks;
}

t.test('rows of prefixes and ranges become networks, the most specific wins', (t) => {
  const { prefix, range, networks, tally } = collect();
  prefix('1.0.0.0/22');
  prefix('1.0.1.0/24', 'CN');
  range('1.0.2.0', '1.0.2.127', 'NZ');
  prefix('2001:200::/32', 'JP');
  t.same(networks(), [
    '1.0.0.0/24 AU',
    '1.0.1.0/24 CN',
    '1.0.2.0/25 NZ',
    '1.0.2.128/25 AU',
    '1.0.3.0/24 AU',
    '2001:200::/32 JP',
  ]);
  t.equal(tally.accepted, 4);
  t.same(tally.notes, {});
  t.end();
});

t.test('a row completely inside reserved space is rejected with its text', (t) => {
  const { prefix, range, networks, tally } = collect();
  prefix('10.1.0.0/16', 'US', 7);
  prefix('280:14c:418:1000::/64', 'BR', 8);
  range('239.0.0.0', '240.0.0.255', 'US', 9);
  prefix('224.0.0.0/4', 'US', 10);
  t.same(networks(), []);
  t.equal(tally.accepted, 0);
  t.same(tally.rejections.reserved, {
    count: 4,
    examples: [
      { position: 7, excerpt: '10.1.0.0/16' },
      { position: 8, excerpt: '280:14c:418:1000::/64' },
      { position: 9, excerpt: '239.0.0.0-240.0.0.255' },
    ],
  });
  t.end();
});

t.test('the reserved part of a row is cut off', (t) => {
  const { prefix, range, networks, tally } = collect();
  prefix('8.0.0.0/6', 'US');
  range('223.255.255.0', '224.0.0.255', 'CN');
  t.same(networks(), ['8.0.0.0/7 US', '11.0.0.0/8 US', '223.255.255.0/24 CN']);
  t.equal(tally.accepted, 2);
  t.same(tally.notes, { clipped: 2 });
  t.end();
});

t.test('a prefix seen before keeps its first claim', (t) => {
  const { prefix, range, networks, tally } = collect();
  prefix('1.0.0.0/24');
  prefix('1.0.0.0/24');
  prefix('1.0.0.0/24', 'CN');
  range('1.0.0.0', '1.0.1.255', 'NZ');
  range('1.0.0.0', '1.0.2.255', 'NZ');
  t.same(networks(), ['1.0.0.0/24 AU', '1.0.1.0/24 NZ', '1.0.2.0/24 NZ']);
  t.equal(tally.accepted, 5);
  t.same(tally.notes, { duplicate: 2, conflict: 1 });
  t.end();
});

t.test('host bits are cleared, and noted for accepted rows', (t) => {
  const { prefix, networks, tally } = collect();
  prefix('1.0.0.77/24');
  prefix('10.0.0.77/24');
  t.same(networks(), ['1.0.0.0/24 AU']);
  t.same(tally.notes, { 'host-bits': 1 });
  t.end();
});

t.test('IPv6 text in ::/96 is never inserted as IPv4', (t) => {
  const { prefix, range, networks, tally } = collect({ reserved: FlatTable.empty() });
  prefix('::1.2.3.0/120');
  prefix('::/96');
  t.equal(tally.rejections.reserved?.count, 2);
  prefix('::/94', 'US');
  range('::5', '::1:0:ffff', 'CN');
  t.equal(networks()[0], '::1:0:0/112 CN');
  t.notOk(
    networks().some((network) => /^\d+\.\d+/.test(network)),
    'no IPv4 network',
  );
  t.same(tally.notes, { clipped: 2 });
  t.end();
});

t.test('IPv4-mapped rows are dropped but counted', (t) => {
  const { prefix, range, networks, tally } = collect();
  prefix('::ffff:1.2.3.0/120');
  range('::ffff:1.2.4.0', '::ffff:1.2.4.255');
  t.same(networks(), []);
  t.equal(tally.accepted, 2);
  t.same(tally.notes, { mapped: 2 });
  t.end();
});

t.test('IPv4-mapped rows are folded for a feed without an IPv4 file', (t) => {
  const { prefix, range, networks, tally } = collect({ foldMapped: true });
  prefix('::ffff:1.2.3.0/120', 'CN');
  range('::ffff:1.2.4.0', '::ffff:1.2.5.255', 'JP');
  prefix('::ffff:10.0.0.0/104', 'US', 3);
  t.same(networks(), ['1.2.3.0/24 CN', '1.2.4.0/23 JP']);
  t.same(tally.notes, { mapped: 2 });
  t.equal(tally.rejections.reserved?.count, 1);
  t.end();
});

t.test('layers are combined by the feed, which may also drop the combination', (t) => {
  const claims = new LayeredClaims(2, reserved);
  const sink = claims.sinkFor({ id: 'feed/file' });
  const row = (layer: number, text: string, country: string) => {
    insert(sink, layer, text, { claim: { country }, position: 1 });
  };
  row(0, '1.0.1.0/24', 'CN');
  row(0, '1.0.2.0/24', 'ZW');
  row(1, '1.0.0.0/22', 'AU');
  row(1, '10.0.0.0/7', 'US');
  const finished = claims.finish(([first, second]) =>
    first?.country === 'ZW' ? undefined : (first ?? second),
  );
  t.same(networksOf(finished), ['1.0.0.0/24 AU', '1.0.1.0/24 CN', '1.0.3.0/24 AU', '11.0.0.0/8 US']);
  t.same(
    finished.claims.map(({ country }) => country),
    ['AU', 'CN', 'US'],
  );
  t.throws(() => {
    row(2, '1.0.0.0/24', 'AU');
  }, /no layer 2/);
  t.end();
});

t.test('every file has its own tally', (t) => {
  const claims = new LayeredClaims(1, reserved);
  insert(claims.sinkFor({ id: 'a' }), 0, '1.0.0.0/24', { claim: { country: 'AU' }, position: 1 });
  const second = claims.sinkFor({ id: 'b' });
  second.unknown();
  second.reject('columns', 2, 'x');
  second.note('coordinates');
  t.same(
    [...claims.tallies].map(([id, { rows, accepted, rejected, notes }]) => ({
      id,
      rows,
      accepted,
      rejected,
      notes,
    })),
    [
      { id: 'a', rows: 1, accepted: 1, rejected: 0, notes: {} },
      { id: 'b', rows: 2, accepted: 1, rejected: 1, notes: { unknown: 1, coordinates: 1 } },
    ],
  );
  t.end();
});

t.test('property: lookups agree with a scan of the rows for any order of rows', (t) => {
  let seed = 7;
  const random = (below: number) => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) % below;
  const rows = Array.from({ length: 300 }, (_, i) => {
    const length = 6 + random(19);
    return { text: `${random(16)}.${random(4)}.${random(256)}.0/${length}`, country: `C${i}` };
  });
  const { prefix, tally } = collect();
  const unique = new Map<string, { start: number; end: number; length: number; country: string }>();
  for (const { text, country } of rows) {
    prefix(text, country);
    const parsed = new PrefixBuffer();
    parsed.parse(text);
    const start = parsed.address[3]!;
    const key = `${start}/${parsed.length}`;
    const end = start + 2 ** (128 - parsed.length) - 1;
    if (!unique.has(key)) unique.set(key, { start, end, length: parsed.length, country });
  }
  t.equal(tally.rows, rows.length);
  const claims = new LayeredClaims(1, reserved);
  const shuffled = claims.sinkFor({ id: 'feed/file' });
  for (const row of [...unique.values()].reverse()) {
    const text = `${formatAddress(Uint32Array.of(0, 0, 0, row.start), 4)}/${row.length - 96}`;
    insert(shuffled, 0, text, { claim: { country: row.country }, position: 1 });
  }
  const { table, claims: said } = claims.finish(([claim]) => claim);
  for (let i = 0; i < 2000; i++) {
    const address = Uint32Array.of(0, 0, 0, random(16) * 2 ** 24 + random(2 ** 24));
    const at = address[3]!;
    const best = [...unique.values()]
      .filter(({ start, end }) => start <= at && at <= end)
      .sort((a, b) => b.length - a.length)[0];
    const expected = at >>> 24 === 10 ? undefined : best?.country;
    const match = table.lookup(address);
    const found = match === undefined ? undefined : said[match.recordId]!.country;
    if (found !== expected) t.equal(found, expected, formatAddress(address, 4));
  }
  t.end();
});

t.test('space that is not delegated is cut and noted, not rejected', (t) => {
  const space = withheldSpace(parseSpecialPurposeRegistry(REGISTRY), [parsePrefix('2400::/12')!]);
  const { prefix, range, networks, tally } = collect({ reserved: space });
  prefix('2d00::/8', 'CH');
  prefix('2400::/8', 'JP');
  range('2400:200::', '25ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'CN');
  t.same(networks(), [
    '2400::/23 JP',
    '2400:200::/23 CN',
    '2400:400::/22 CN',
    '2400:800::/21 CN',
    '2400:1000::/20 CN',
    '2400:2000::/19 CN',
    '2400:4000::/18 CN',
    '2400:8000::/17 CN',
    '2401::/16 CN',
    '2402::/15 CN',
    '2404::/14 CN',
    '2408::/13 CN',
  ]);
  t.match(tally, { accepted: 3, rejected: 0, notes: { 'not-delegated': 2, clipped: 1 } });
  t.end();
});
