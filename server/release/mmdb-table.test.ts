import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { Reader, type Response } from 'maxmind';
import t from 'tap';
import { CITY_SCHEMA } from '../../pipeline/merge/city-record.js';
import { encodeMmdb } from '../../pipeline/mmdb/write.js';
import { formatAddress, formatIpv4, parseAddress } from '../../pipeline/net/address.js';
import { parsePrefix } from '../../pipeline/net/prefix.js';
import * as hand from '../../pipeline/mmdb/testing/hand-made.js';
import { currentRelease } from '../../pipeline/release/release-store.js';
import { pseudoRandom } from '../../pipeline/table/networks.fixture.js';
import { PrefixTable } from '../../pipeline/table/prefix-table.js';
import { SMALL, smallRecords } from '../testing/small-records.js';
import { publishSmallRelease } from '../testing/small-release.js';
import { AddressTree } from './address-tree.js';
import { MmdbTable } from './mmdb-table.js';
import { RecordCache } from './record-cache.js';

t.test(
  'a table agrees with its reader for random addresses of both families, with a cold and a warm cache',
  async (t) => {
    const dir = await publishedDir(t.testdir());
    const random = pseudoRandom(7);
    const addresses = [
      ...Object.values(SMALL),
      '0.0.0.0',
      '255.255.255.255',
      '::',
      '::ffff:8.8.8.8',
      '2002:808:808::1',
    ];
    const bases = Object.values(SMALL).map((ip) => parseAddress(ip)!);
    for (let i = 0; i < 3000; i++) {
      const { address, family } = bases[i % bases.length]!;
      const word = family === 4 ? 3 : i % 4;
      const near = address.slice();
      near[word] = (near[word]! ^ (random(2 ** 32) >>> (i % 32))) >>> 0;
      addresses.push(formatAddress(near, family));
    }
    for (const file of ['geo.mmdb', 'isp.mmdb', 'asn.mmdb', 'routes.mmdb']) {
      const bytes = readFileSync(join(dir, file));
      const table = new MmdbTable(bytes);
      const reader = new Reader<Response>(bytes);
      const wrong = [...addresses, ...addresses].filter(
        (ip) => JSON.stringify(table.get(ip) ?? null) !== JSON.stringify(reader.get(ip)),
      );
      t.same(wrong, [], file);
    }
  },
);

t.test('trees of 24, 28 and 32 bits give the same results, for IPv4 and IPv6', (t) => {
  const random = pseudoRandom(3);
  const leaves = Array.from({ length: 9 }, () => random(2 ** 32) >>> 0);
  for (const recordSize of [24, 28, 32]) {
    const { bytes, nodeCount, pointers } = treeOf(leaves, recordSize);
    const tree = new AddressTree(bytes, { nodeCount, recordSize, ipVersion: 4 });
    for (const [index, key] of leaves.entries()) {
      t.equal(tree.findKey(key), pointers[index], `${recordSize} bits`);
      t.equal(tree.find(formatIpv4(key)), pointers[index]);
      t.equal(
        tree.findKey(key ^ 1),
        leaves.includes((key ^ 1) >>> 0) ? pointers[leaves.indexOf((key ^ 1) >>> 0)] : undefined,
      );
    }
    t.equal(tree.find('2001:db8::1'), undefined, 'no IPv6 in an IPv4 tree');
  }
  t.end();
});

t.test('text that net.isIP refuses finds nothing, although the reader alone finds a record', async (t) => {
  const dir = await publishedDir(t.testdir());
  const bytes = readFileSync(join(dir, 'geo.mmdb'));
  const table = new MmdbTable(bytes);
  t.ok(new Reader<Response>(bytes).get('8.8.8.8 '), 'the reader accepts it');
  const hostile = [
    '',
    'foo',
    '8.8.8',
    '08.8.8.8',
    '8.8.8.8 ',
    '8.8.8.8.8',
    '264.8.8.8',
    '8.8.8.8:80',
    '2001:4860::zz',
  ];
  for (const text of [
    ...hostile,
    '2001:4860::1%eth0',
    '0x8080808',
    '134744072',
    '[2001:4860::1]',
    '::8.8.8.8/32',
  ]) {
    t.ok(isIP(text) === 0 || text.includes('%'));
    t.equal(table.get(text), undefined, JSON.stringify(text));
  }
});

t.test('AS numbers are 32-bit keys, including the highest', async (t) => {
  const dir = await publishedDir(t.testdir());
  const table = new MmdbTable<{ asn: number }>(readFileSync(join(dir, 'networks.mmdb')));
  for (const record of smallRecords().networks) {
    t.same(table.getKey(record.asn), record);
    t.equal(table.getKey(record.asn), table.getKey(record.asn), 'the same object');
  }
  t.equal(table.getKey(1), undefined);
  t.equal(table.getKey(0xffff_ffff), undefined);
});

t.test('records are shared between requests and deeply frozen', async (t) => {
  const dir = await publishedDir(t.testdir());
  const table = new MmdbTable<Record<string, object>>(readFileSync(join(dir, 'routes.mmdb')));
  const record = table.get(SMALL.google)!;
  t.equal(table.get(SMALL.google), record);
  const parts: object[] = [record];
  for (const part of parts) {
    t.ok(Object.isFrozen(part));
    parts.push(...Object.values(part).filter((value): value is object => typeof value === 'object'));
  }
  t.ok(parts.length > 10, 'records have parts');
  t.throws(() => Object.assign(record, { prefix: 'changed' }), TypeError);
  t.throws(() => (record['neighbours'] as unknown[]).sort(), TypeError);
});

t.test('a cache smaller than its file changes no answer and stays small', (t) => {
  const table = new PrefixTable();
  const records = Array.from({ length: 500 }, (_, i) => ({ city: { names: { en: `City ${i}` } } }));
  records.forEach((_, i) => {
    const { address, length } = parsePrefix(`20.0.${i >> 8}.${i & 255}/32`)!;
    table.insert(address, length, i);
  });
  const bytes = encodeMmdb({
    table: table.flatten(),
    records,
    schema: CITY_SCHEMA,
    databaseType: 'test',
    description: { en: 'test' },
    languages: [],
    ipVersion: 6,
    buildEpoch: 0,
  });
  const cached = new MmdbTable(bytes, new RecordCache(3));
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 500; i += round + 1) t.same(cached.get(`20.0.${i >> 8}.${i & 255}`), records[i]);
  }
  t.end();
});

t.test('a cache keeps used entries and drops the others', (t) => {
  const cache = new RecordCache(3);
  const entry = (value: number) => ({ value, offset: 0 });
  cache.set(0, entry(0));
  for (let key = 1; key < 20; key++) {
    cache.set(key, entry(key));
    t.same(cache.get(0), entry(0), 'used in every round');
  }
  t.equal(cache.get(1), undefined);
  const held = Array.from({ length: 20 }, (_, key) => cache.get(key)).filter(Boolean);
  t.ok(held.length <= 6, 'at most two generations');
  t.end();
});

async function publishedDir(outputDir: string): Promise<string> {
  await publishSmallRelease(outputDir);
  return (await currentRelease(outputDir))!.dir;
}

/** Returns the bytes of a tree with a data pointer for each 32-bit key. */
function treeOf(
  keys: readonly number[],
  recordSize: number,
): { bytes: Uint8Array; nodeCount: number; pointers: number[] } {
  const nodes: [number | undefined, number | undefined][] = [[undefined, undefined]];
  const leaves = new Map<number, [number, 0 | 1]>();
  for (const key of keys) {
    let node = 0;
    for (let depth = 0; depth < 31; depth++) {
      const bit = (key >>> (31 - depth)) & 1;
      node = nodes[node]![bit] ??= nodes.push([undefined, undefined]) - 1;
    }
    leaves.set(key, [node, (key & 1) as 0 | 1]);
  }
  const nodeCount = nodes.length;
  const pointers = keys.map((key, index) => {
    const [node, bit] = leaves.get(key)!;
    // Large enough that every bit of a record matters.
    const pointer = Math.min(2 ** recordSize - 1 - index, 0xffff_ff00 + index);
    nodes[node]![bit] = pointer;
    return pointer;
  });
  const digits = recordSize / 4;
  const hex = nodes.map(([left, right]) => {
    const [a, b] = [left ?? nodeCount, right ?? nodeCount].map((value) =>
      value.toString(16).padStart(digits, '0'),
    ) as [string, string];
    // 28 bits: the low 24 of the left one, the two high halves of bytes, the low 24 of the right one.
    return recordSize === 28 ? a.slice(1) + a[0]! + b[0]! + b.slice(1) : a + b;
  });
  return { bytes: Buffer.from(hex.join(''), 'hex'), nodeCount, pointers };
}

t.test('a record or metadata of any size, depth or cycle is refused before it is decoded', (t) => {
  const file = (data: Buffer, metadata: hand.HandMadeFile['metadata'] = {}): Buffer =>
    hand.handMade({ nodes: [[{ data: 0 }, { data: 0 }]], data, metadata });
  const huge = hand.control(11, 16_000_000);
  const cases: readonly (readonly [data: Buffer, found: RegExp])[] = [
    [huge, /a size of 16000000 exceeds the file/],
    [Buffer.concat(Array<Buffer>(50).fill(huge)), /a size of 16000000 exceeds the file/],
    [hand.map(['a', hand.pointer(0)]), /a value contains itself/],
    [pointersFirst(70), /a value is nested too deep/],
    [hand.nested(65, hand.uint16(1)), /a value is nested too deep/],
    [doubling(25), /a record has too many values/],
    [hand.pointer(100_000_000), /a value exceeds the file/],
  ];
  for (const [data, found] of cases) t.throws(() => new MmdbTable(file(data)).get('8.8.8.8'), found);
  t.throws(() => new MmdbTable(file(hand.uint16(1), { languages: huge })), /a size of 16000000 exceeds/);
  t.same(
    new MmdbTable(file(hand.nested(64, hand.map()))).get('8.8.8.8'),
    JSON.parse(`${'['.repeat(64)}{}${']'.repeat(64)}`),
  );
  t.end();
});

/** Nested arrays of two pointers to the next one: 2^levels values when every pointer is followed. */
function doubling(levels: number): Buffer {
  const parts = Array.from({ length: levels }, (_, level) => {
    const next = hand.pointer(2048 + 8 * (level + 1));
    return hand.array(next, next);
  });
  return Buffer.concat([hand.pointer(2048), Buffer.alloc(2045), ...parts, hand.uint16(1)]);
}

/** An array of pointers to nested arrays, the innermost first. */
function pointersFirst(levels: number): Buffer {
  const at = (level: number): number => 2048 + 5 * level;
  const pointers = Array.from({ length: levels }, (_, level) => hand.pointer(at(level)));
  const head = hand.array(...pointers);
  const inner = Array.from({ length: levels }, (_, level) =>
    level === 0 ? Buffer.from([0, 4, 0, 0, 0]) : hand.array(hand.pointer(at(level - 1))),
  );
  return Buffer.concat([head, Buffer.alloc(2048 - head.length), ...inner]);
}
