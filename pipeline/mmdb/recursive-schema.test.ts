import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Reader } from 'maxmind';
import t from 'tap';
import { parsePrefix } from '../net/prefix.js';
import { PrefixTable } from '../table/prefix-table.js';
import type { MmdbFault } from './mmdb-error.js';
import { readMmdb } from './read.js';
import { arrayOf, map, type MapSchema, type Schema } from './schema.js';
import * as hand from './testing/hand-made.js';
import { mmdblookup, pythonLookup, without } from './testing/oracles.js';
import { verifyMmdb } from './verify.js';
import { encodeMmdb } from './write.js';

/** A link of a chain: a prefix and the link that covers it. */
const LINK: MapSchema = map({
  prefix: 'string',
  get parent(): Schema {
    return LINK;
  },
});
/** A record has one more key than the links above it. */
const RECORD = map({ ...LINK.fields, note: 'string' });

interface Link {
  readonly prefix: string;
  readonly parent?: Link;
}

/** Creates the links 1.0.0.0/8 to 1.0.0.0/(8 + levels - 1), each inside the previous one. */
function chain(levels: number): Link[] {
  const links: Link[] = [];
  for (let i = 0; i < levels; i++) {
    const parent = links[i - 1];
    links.push({ prefix: `1.0.0.0/${8 + i}`, ...(parent && { parent }) });
  }
  const parent = links[0]!;
  return [...links, { prefix: '1.128.0.0/9', parent }, { prefix: '2.0.0.0/8' }];
}

function encoded(links: readonly Link[]): Buffer {
  const table = new PrefixTable();
  links.forEach(({ prefix }, recordId) => {
    const { address, length } = parsePrefix(prefix)!;
    table.insert(address, length, recordId);
  });
  return encodeMmdb({
    table: table.flatten(),
    records: links.map((link) => ({ ...link, note: 'a record' })),
    schema: RECORD,
    databaseType: 'Chains',
    description: { en: 'records with their parents' },
    languages: ['en'],
    ipVersion: 6,
    buildEpoch: 1_760_000_000,
  });
}

t.test('a schema may contain itself: chains are written, verified and read', (t) => {
  const links = chain(20);
  const bytes = encoded(links);
  t.same(verifyMmdb(bytes, { schema: RECORD }).problems, []);
  t.same(readMmdb(bytes).records[0], { ...links[19]!, note: 'a record' });
  const reader = new Reader(bytes);
  t.strictSame(reader.get('1.0.0.0'), { ...links[19]!, note: 'a record' });
  t.strictSame(reader.get('1.255.0.1'), { prefix: '1.128.0.0/9', parent: links[0], note: 'a record' });
  t.strictSame(reader.get('2.0.0.1'), { prefix: '2.0.0.0/8', note: 'a record' });
  t.end();
});

t.test('a link that many records share is written once', (t) => {
  const parent: Link = { prefix: '1.0.0.0/8', parent: { prefix: '0.0.0.0/5' } };
  const links = Array.from({ length: 100 }, (_, i) => ({ prefix: `1.${i}.0.0/16`, parent }));
  const size = encoded(links).length;
  const more = Array.from({ length: 101 }, (_, i) => ({ prefix: `1.${i}.0.0/16`, parent: { ...parent } }));
  t.ok(encoded(more).length - size < 50, 'one more link costs its own text and a pointer');
  t.end();
});

t.test(
  'libmaxminddb follows the chains, through Python and through mmdblookup',
  { skip: without('python') },
  (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'chains-'));
    t.teardown(() => {
      rmSync(folder, { recursive: true });
    });
    const path = join(folder, 'chains.mmdb');
    const links = chain(20);
    writeFileSync(path, encoded(links));
    const [deep, flat] = pythonLookup(path, ['1.0.0.0', '2.0.0.0']);
    t.same(deep, { record: { ...links[19]!, note: 'a record' }, length: 27 });
    t.same(flat, { record: { prefix: '2.0.0.0/8', note: 'a record' }, length: 8 });
    if (without('mmdblookup') === false) {
      t.equal(mmdblookup(path, '1.0.0.0', ['parent', 'parent', 'prefix'])?.text, '1.0.0.0/25');
    }
    t.end();
  },
);

t.test('a value that contains itself, or is too deep, cannot be written', (t) => {
  const round: { prefix: string; parent?: Link } = { prefix: '1.0.0.0/8' };
  round.parent = round;
  t.throws(() => encoded([round]), { name: 'MmdbEncodeError', message: /levels deep/ });
  let deep: Link = { prefix: '1.0.0.0/8' };
  for (let level = 2; level <= 64; level++) deep = { prefix: '1.0.0.0/8', parent: deep };
  t.same(verifyMmdb(encoded([deep]), { schema: RECORD }).problems, []);
  t.throws(() => encoded([{ prefix: '1.0.0.0/8', parent: deep }]), { name: 'MmdbEncodeError' });
  t.end();
});

const TEXT = hand.utf8('1.0.0.0/8');
const ROOT = hand.map(['prefix', TEXT]);

/** Encodes a file with up to two records, one after the other. */
function file(...records: readonly Buffer[]): Buffer {
  const [first, second] = records;
  return hand.handMade({
    nodes: [[{ data: 0 }, second ? { data: first!.length } : 'none']],
    data: Buffer.concat(records),
  });
}

/** Encodes records of 66 links, connected by pointers. */
function tooDeep(): Buffer {
  const records = [ROOT];
  for (let at = 0; records.length < 66; at += records.at(-2)!.length) {
    records.push(hand.map(['parent', hand.pointer(at)]));
  }
  const nodes = records.slice(0, -1).map((_, i) => {
    const at = Buffer.concat(records.slice(0, i)).length;
    const next = at + records[i]!.length;
    return [{ data: at }, i === records.length - 2 ? { data: next } : { node: i + 1 }] as const;
  });
  return hand.handMade({ nodes, data: Buffer.concat(records), ipVersion: 6 });
}

const DAMAGES: readonly (readonly [name: string, file: Buffer, expected: MmdbFault])[] = [
  ['a text for a parent', file(hand.map(['parent', TEXT])), 'schema'],
  ['an array for a parent', file(hand.map(['parent', hand.array(ROOT)])), 'schema'],
  [
    'a record, with a key that links do not have, for a parent',
    file(hand.map(['note', TEXT]), hand.map(['parent', hand.pointer(0)])),
    'schema',
  ],
  [
    'a wrong link in the middle of a chain',
    file(hand.map(['parent', hand.map(['parent', hand.map(['prefix', hand.uint16(1)])])])),
    'schema',
  ],
  [
    'a wrong link behind two pointers',
    file(
      hand.map(['parent', hand.map(['prefix', hand.uint16(1)])]),
      hand.map(['parent', hand.map(['parent', hand.pointer(8)])]),
    ),
    'schema',
  ],
  ['a link that is its own parent', file(hand.map(['parent', hand.pointer(0)])), 'pointer-cycle'],
  [
    'two links that are parents of each other',
    file(hand.map(['parent', hand.pointer(10)]), hand.map(['parent', hand.pointer(0)])),
    'pointer-cycle',
  ],
  ['a chain of 66 links', tooDeep(), 'depth'],
];

for (const [name, bytes, expected] of DAMAGES) {
  t.test(`verification rejects ${name}`, (t) => {
    const { problems } = verifyMmdb(bytes, { schema: RECORD });
    t.same([...new Set(problems.map(({ code }) => code))], [expected], JSON.stringify(problems));
    t.end();
  });
}

t.test('links that multiply values cost the verifier no more than their bytes', (t) => {
  const TREE: MapSchema = map({
    get inside(): Schema {
      return arrayOf(TREE);
    },
  });
  const records = [hand.map()];
  for (let level = 1, at = 0, length = 1; level < 32; level++) {
    const target = at;
    const inside = hand.array(...Array.from({ length: 200 }, () => hand.pointer(target)));
    records.push(hand.map(['inside', inside]));
    at = length;
    length += records.at(-1)!.length;
  }
  const last = Buffer.concat(records).length - records.at(-1)!.length;
  const bytes = hand.handMade({ nodes: [[{ data: last }, 'none']], data: Buffer.concat(records) });
  const { problems } = verifyMmdb(bytes, { schema: TREE });
  t.same([...new Set(problems.map(({ code }) => code))], ['orphan']);
  t.end();
});
