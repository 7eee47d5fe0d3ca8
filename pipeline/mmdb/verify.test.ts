import t from 'tap';
import { MmdbError, type MmdbFault } from './mmdb-error.js';
import { PROBLEMS_DESCRIBED } from './problems.js';
import { readMmdb } from './read.js';
import { arrayOf, map as mapSchema, mapOf, type Schema } from './schema.js';
import * as hand from './testing/hand-made.js';
import { leftChain, type HandMadeFile, type HandMadeNode, type HandMadeRecord } from './testing/hand-made.js';
import { verifyMmdb } from './verify.js';

const NAMES = hand.map(['en', hand.utf8('Köln')], ['zh-CN', hand.utf8('科隆')]);
const FIRST = hand.map(['id', hand.uint32(7)], ['names', NAMES]);
const NAMES_AT = FIRST.length - NAMES.length;
const SECOND = hand.map(
  [hand.pointer(1), hand.uint32(8)],
  ['names', hand.pointer(NAMES_AT)],
  ['at', hand.array(hand.double(-0), hand.boolean(true))],
);
const SCHEMA = mapSchema({ id: 'uint32', names: mapOf('string'), at: arrayOf('double') });

/** Two records, three networks, IPv4. */
const SMALL: HandMadeFile = {
  nodes: [
    [{ node: 1 }, { data: 0 }],
    [{ data: 0 }, { data: FIRST.length }],
  ],
  data: Buffer.concat([FIRST, SECOND]),
};

const MAPPED = '0'.repeat(80) + '1'.repeat(16);
const TEREDO = '0010000000000001' + '0'.repeat(16);
const SIX_TO_FOUR = '0010000000000010';

/** 0.0.0.0/1 in a tree for both families, and records at the ends of some bit strings. Node 96 is the IPv4 root. */
function aliased(records: Readonly<Record<string, HandMadeRecord>>): HandMadeFile {
  const nodes: [HandMadeRecord, HandMadeRecord][] = [];
  for (const [left, right] of leftChain(96, { node: 96 })) nodes.push([left, right]);
  nodes.push([{ data: 0 }, 'none']);
  for (const [bits, record] of Object.entries(records)) {
    let node = 0;
    for (const bit of bits.slice(0, -1)) {
      let next = nodes[node]![Number(bit)]!;
      if (next === 'none' || !('node' in next)) {
        next = nodes[node]![Number(bit)] = { node: nodes.length };
        nodes.push(['none', 'none']);
      }
      node = next.node;
    }
    nodes[node]![Number(bits.at(-1))] = record;
  }
  return { nodes, data: FIRST, ipVersion: 6 };
}

function codes(file: HandMadeFile, schema?: Schema): MmdbFault[] {
  const report = verifyMmdb(hand.handMade(file), schema === undefined ? {} : { schema });
  return report.problems.map(({ code }) => code);
}

t.test('a valid file passes at every record size, with its counts', (t) => {
  for (const recordSize of [24, 28, 32] as const) {
    const report = verifyMmdb(hand.handMade({ ...SMALL, recordSize }));
    t.same(report.problems, []);
    t.equal(report.problemCount, 0);
    t.equal(report.metadata?.recordSize, recordSize);
    t.same(report.counts, {
      nodes: 2,
      networksV4: 3,
      networksV6: 0,
      records: 2,
      dataBytes: FIRST.length + SECOND.length,
    });
  }
  t.end();
});

t.test('a file without a tree has counts of zero', (t) => {
  const { counts } = verifyMmdb(Buffer.from('no MMDB'));
  t.same(counts, { nodes: 0, networksV4: 0, networksV6: 0, records: 0, dataBytes: 0 });
  t.end();
});

t.test('a file without any network passes', (t) => {
  t.same(codes({ nodes: [['none', 'none']], data: Buffer.alloc(0) }), []);
  t.end();
});

t.test('aliases of the IPv4 tree are listed and not counted', (t) => {
  const report = verifyMmdb(
    hand.handMade(aliased({ [MAPPED]: { node: 96 }, [SIX_TO_FOUR]: { node: 96 }, [TEREDO]: { node: 96 } })),
  );
  t.same(report.problems, []);
  t.same(report.aliases, ['::ffff:0:0/96', '2001::/32', '2002::/16']);
  t.equal(report.counts.networksV4, 1);
  t.equal(report.counts.networksV6, 0);
  t.end();
});

t.test('a record that matches the schema passes', (t) => {
  t.same(codes({ ...SMALL, nodes: [['none', { data: 0 }]], data: FIRST }, SCHEMA), []);
  t.same(
    codes(
      { ...SMALL, nodes: [['none', { data: 0 }]], data: FIRST },
      mapSchema({ id: 'uint32', names: SCHEMA.fields['names']! }),
    ),
    [],
  );
  t.end();
});

/** A file with one record and one node. */
function holding(data: Buffer): HandMadeFile {
  return { nodes: [[{ data: 0 }, 'none']], data };
}

/** A file with up to four records, one after the other, each with a reference. */
function holdingAll(...records: readonly Buffer[]): HandMadeFile {
  const leaves = records.map((_, i) => ({ data: Buffer.concat(records.slice(0, i)).length }));
  const at = (i: number): HandMadeRecord => leaves[i] ?? 'none';
  return {
    nodes: [
      [{ node: 1 }, { node: 2 }],
      [at(0), at(1)],
      [at(2), at(3)],
    ],
    data: Buffer.concat(records),
  };
}

const X = hand.utf8('x');
const big = hand.uint32(0xff_ffff);
const without = (key: string): HandMadeFile => ({ ...SMALL, metadata: { [key]: undefined } });
const withValue = (key: string, value: Buffer): HandMadeFile => ({ ...SMALL, metadata: { [key]: value } });
const withNodes = (...nodes: HandMadeNode[]): HandMadeFile => ({ ...SMALL, nodes });

const DAMAGES: readonly (readonly [
  name: string,
  file: HandMadeFile,
  expected: readonly MmdbFault[],
  schema?: Schema,
])[] = [
  ['no marker', { ...SMALL, tail: Buffer.alloc(0) }, ['marker']],
  [
    'the marker out of reach',
    { ...SMALL, tail: Buffer.concat([hand.metadataTail(2, 24, 4), Buffer.alloc(131_072)]) },
    ['marker'],
  ],
  [
    'nothing after the marker',
    { ...SMALL, tail: hand.metadataTail(2, 24, 4).subarray(0, 14) },
    ['truncated'],
  ],
  [
    'metadata that is not a map',
    { ...SMALL, tail: Buffer.concat([hand.metadataTail(2, 24, 4).subarray(0, 14), X]) },
    ['metadata'],
  ],
  ['metadata with a key twice', withValue('x', hand.map(['a', X], ['a', X])), ['duplicate-key']],
  [
    'bytes after the metadata',
    { ...SMALL, tail: Buffer.concat([hand.metadataTail(2, 24, 4), X]) },
    ['metadata'],
  ],
  ...[
    'binary_format_major_version',
    'binary_format_minor_version',
    'build_epoch',
    'database_type',
    'ip_version',
    'node_count',
    'record_size',
    'description',
    'languages',
  ].map((key) => [`no ${key}`, without(key), ['metadata']] as const),
  ['major version 3', withValue('binary_format_major_version', hand.uint16(3)), ['metadata']],
  ['minor version 1', withValue('binary_format_minor_version', hand.uint16(1)), ['metadata']],
  ['major version as uint32', withValue('binary_format_major_version', hand.uint32(2)), ['metadata']],
  ['minor version as uint32', withValue('binary_format_minor_version', hand.uint32(0)), ['metadata']],
  ['build epoch as uint32', withValue('build_epoch', hand.uint32(1)), ['metadata']],
  ['build epoch as uint128', withValue('build_epoch', hand.payload(10, '01')), ['metadata']],
  ['node count as uint16', withValue('node_count', hand.uint16(2)), ['metadata']],
  ['record size as uint32', withValue('record_size', hand.uint32(24)), ['metadata']],
  ['record size 20', withValue('record_size', hand.uint16(20)), ['metadata']],
  ['ip version as string', withValue('ip_version', hand.utf8('4')), ['metadata']],
  ['ip version 5', withValue('ip_version', hand.uint16(5)), ['metadata']],
  ['database type a number', withValue('database_type', hand.uint32(1)), ['metadata']],
  ['database type empty', withValue('database_type', hand.utf8('')), ['metadata']],
  ['languages a string', withValue('languages', hand.utf8('en')), ['metadata']],
  ['a language a number', withValue('languages', hand.array(hand.uint16(1))), ['metadata']],
  ['description a string', withValue('description', hand.utf8('en')), ['metadata']],
  ['description of a number', withValue('description', hand.map(['en', hand.uint16(1)])), ['metadata']],
  ['description empty', withValue('description', hand.map()), ['metadata']],
  ['no node', withValue('node_count', hand.uint32(0)), ['metadata']],
  ['more nodes than bytes', withValue('node_count', big), ['tree-size']],
  [
    'the separator not zero',
    { ...SMALL, separator: Buffer.from('00'.repeat(15) + '01', 'hex') },
    ['separator'],
  ],
  ['a record N+1', withNodes([{ raw: 2 }, { data: 0 }]), ['record-gap', 'orphan']],
  ['a record N+15', withNodes([{ raw: 16 }, { data: 0 }]), ['record-gap', 'orphan']],
  [
    'a record far beyond the data',
    withNodes([{ data: 0 }, { node: 1 }], [{ data: FIRST.length }, { raw: 0xffffff }]),
    ['record-range'],
  ],
  [
    'a record directly after the data',
    withNodes([{ data: 0 }, { node: 1 }], [{ data: FIRST.length }, { data: FIRST.length + SECOND.length }]),
    ['record-range'],
  ],
  [
    'a record into a value',
    withNodes([{ data: 0 }, { node: 1 }], [{ data: FIRST.length }, { data: NAMES_AT }]),
    ['record-target'],
  ],
  [
    'an unreachable node',
    withNodes([{ data: 0 }, { data: FIRST.length }], ['none', 'none']),
    ['node-unreachable'],
  ],
  [
    'a node reached twice',
    withNodes([{ node: 1 }, { node: 1 }], [{ data: 0 }, { data: FIRST.length }]),
    ['node-shared'],
  ],
  [
    'a root above itself',
    withNodes([{ data: 0 }, { node: 1 }], [{ data: FIRST.length }, { node: 0 }]),
    ['tree-cycle'],
  ],
  [
    'a node that is its own child',
    withNodes([{ data: 0 }, { node: 1 }], [{ data: FIRST.length }, { node: 1 }]),
    ['tree-cycle'],
  ],
  [
    'a node below the 32nd bit',
    { nodes: leftChain(33, { data: 0 }), data: X },
    ['tree-depth', 'node-unreachable', 'orphan'],
  ],
  [
    'a node below the 128th bit',
    { nodes: leftChain(129, { data: 0 }), data: X, ipVersion: 6 },
    ['tree-depth', 'node-unreachable', 'orphan'],
  ],
  ['an alias of another node', aliased({ [SIX_TO_FOUR]: { node: 90 } }), ['node-shared']],
  ['an alias at another network', aliased({ '0010000000000011': { node: 96 } }), ['node-shared']],
  ['an alias at half of a network', aliased({ [SIX_TO_FOUR + '0']: { node: 96 } }), ['node-shared']],
  ['a string cut', holding(hand.utf8('Köln').subarray(0, 3)), ['truncated']],
  ['a type not in use', holding(Buffer.from([0, 5])), ['type']],
  ['a double of 4 bytes', holding(hand.payload(3, '00000000')), ['size']],
  ['a boolean of 2', holding(hand.control(14, 2)), ['size']],
  ['a map of 16 million', holding(hand.control(7, 16_843_036)), ['count']],
  ['an array of 16 million', holding(hand.control(11, 16_843_036)), ['count']],
  ['text that is not UTF-8', holding(hand.map(['a', hand.payload(2, 'c3')])), ['utf8']],
  ['a key that is not UTF-8', holding(hand.map([hand.payload(2, 'c3'), X])), ['utf8']],
  ['65 levels', holding(hand.nested(65, X)), ['depth']],
  [
    '65 levels through a pointer',
    holdingAll(hand.nested(33, X), hand.nested(32, hand.pointer(0))),
    ['depth'],
  ],
  [
    '65 levels through a pointer ahead',
    holdingAll(hand.nested(32, hand.pointer(66)), hand.nested(33, X)),
    ['depth'],
  ],
  ['a number for a key', holding(hand.map([hand.uint16(1), X])), ['key-type']],
  ['a map for a key', holding(hand.map([hand.map(), X])), ['key-type']],
  [
    'a pointer to a number for a key',
    holdingAll(hand.uint16(1), hand.map([hand.pointer(0), X])),
    ['key-type'],
  ],
  ['a key twice', holding(hand.map(['a', X], ['b', X], ['a', X])), ['duplicate-key']],
  ['a key twice through a pointer', holding(hand.map(['a', X], [hand.pointer(1), X])), ['duplicate-key']],
  ['a key twice in a big map', holding(hand.map(...manyEntries(40), ['k7', X])), ['duplicate-key']],
  ['a pointer to a pointer', holdingAll(X, hand.pointer(0), hand.array(hand.pointer(2))), ['pointer-chain']],
  ['a pointer to itself', holding(hand.pointer(0)), ['pointer-chain']],
  ['a pointer past the end', holding(hand.array(hand.pointer(99))), ['pointer-range']],
  ['a key pointer past the end', holding(hand.map([hand.pointer(99), X])), ['pointer-range']],
  ['a pointer into a string', holdingAll(hand.utf8('xyz'), hand.array(hand.pointer(2))), ['pointer-start']],
  ['a map in itself', holding(hand.map(['a', hand.pointer(0)])), ['pointer-cycle']],
  [
    'two maps in each other',
    holdingAll(hand.array(hand.pointer(4)), hand.array(hand.pointer(0))),
    ['pointer-cycle'],
  ],
  ['a value without a reference', { ...holding(X), data: Buffer.concat([X, hand.utf8('y')]) }, ['orphan']],
  ['zeros after the data', { ...holding(X), data: Buffer.concat([X, Buffer.alloc(3)]) }, ['type']],
  ['an empty string after the data', { ...holding(X), data: Buffer.concat([X, hand.utf8('')]) }, ['orphan']],
  ['another type than the schema has', holding(hand.map(['id', hand.uint16(7)])), ['schema'], SCHEMA],
  ['a key not in the schema', holding(hand.map(['ident', hand.uint32(7)])), ['schema'], SCHEMA],
  ['an array for a map', holding(hand.array()), ['schema'], SCHEMA],
  [
    'a wrong value in a map of any keys',
    holding(hand.map(['names', hand.map(['en', hand.uint16(1)])])),
    ['schema'],
    SCHEMA,
  ],
  [
    'a wrong element',
    holding(hand.map(['at', hand.array(hand.double(1), hand.uint16(1))])),
    ['schema'],
    SCHEMA,
  ],
  [
    'a wrong value behind a pointer',
    holdingAll(hand.map(['id', hand.uint32(1)]), hand.map(['names', hand.pointer(4)])),
    ['schema'],
    SCHEMA,
  ],
];

function manyEntries(count: number): (readonly [string, Buffer])[] {
  return Array.from({ length: count }, (_, i) => [`k${i}`, X]);
}

for (const [name, file, expected, schema] of DAMAGES) {
  t.test(`verification rejects ${name}`, (t) => {
    const report = verifyMmdb(hand.handMade(file), schema === undefined ? {} : { schema });
    t.same([...new Set(report.problems.map(({ code }) => code))], expected, JSON.stringify(report.problems));
    t.end();
  });
}

t.test('a file truncated at any byte is rejected', (t) => {
  const file = hand.handMade(SMALL);
  for (let length = 0; length < file.length; length++) {
    const cut = file.subarray(0, length);
    if (verifyMmdb(cut).problemCount === 0) t.fail(`cut to ${length} bytes it passes`);
    t.throws(() => readMmdb(cut), MmdbError, `cut to ${length} bytes it cannot be read`);
  }
  t.end();
});

t.test('a file with a flipped bit is rejected or is another valid file', (t) => {
  for (const good of [hand.handMade(SMALL), hand.handMade(aliased({ [MAPPED]: { node: 96 } }))]) {
    let refused = 0;
    for (let bit = 0; bit < 8 * good.length; bit++) {
      const flipped = Buffer.from(good);
      flipped[bit >>> 3]! ^= 1 << (bit & 7);
      const { problemCount, counts } = verifyMmdb(flipped);
      const read = readOrRefuse(flipped);
      if (problemCount > 0) refused++;
      else if (read?.records.length !== counts.records) t.fail(`bit ${bit}: verified, not readable`);
    }
    t.ok(refused > 4 * good.length, `${refused} of ${8 * good.length} flips are refused`);
  }
  t.end();
});

t.test('random bytes never make the verifier throw or hang', (t) => {
  let state = 1;
  const random = (): number => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 8;
  for (let round = 0; round < 3000; round++) {
    const data = Buffer.from(Array.from({ length: random() % 60 }, random));
    const nodes = Array.from({ length: 1 + (random() % 5) }, (): HandMadeNode => [
      { raw: random() % 40 },
      { raw: random() % 40 },
    ]);
    const file = hand.handMade({ nodes, data, ipVersion: random() % 2 === 0 ? 4 : 6 });
    const { problemCount } = verifyMmdb(file, { schema: SCHEMA });
    if (problemCount === 0) t.ok(readOrRefuse(file), 'what passes can be read');
    else readOrRefuse(file);
  }
  t.end();
});

t.test('the first problems are described, all are counted', (t) => {
  const report = verifyMmdb(
    hand.handMade({ nodes: Array.from({ length: 500 }, () => ['none', 'none']), data: Buffer.alloc(0) }),
  );
  t.equal(report.problems.length, PROBLEMS_DESCRIBED);
  t.equal(report.problemCount, 499);
  t.end();
});

t.test('a problem names its place', (t) => {
  const inRecord = verifyMmdb(
    hand.handMade(holding(hand.map(['city', hand.map(['names', hand.payload(2, 'ff')])]))),
  );
  t.same(inRecord.problems, [
    { code: 'utf8', offset: 6 + 16 + 13, path: '/city/names', text: 'invalid UTF-8 in a string' },
  ]);
  const inTree = verifyMmdb(
    hand.handMade(withNodes([{ data: 0 }, { node: 1 }], [{ data: FIRST.length }, { raw: 5 }])),
  );
  t.same(inTree.problems, [
    {
      code: 'record-gap',
      offset: 6,
      path: '192.0.0.0/2',
      text: 'record 5 is neither a node nor in the data section',
    },
  ]);
  const inValue = verifyMmdb(
    hand.handMade(withNodes([{ data: 0 }, { node: 1 }], [{ data: FIRST.length }, { data: NAMES_AT }])),
  );
  t.same(inValue.problems, [
    {
      code: 'record-target',
      offset: 6,
      path: '192.0.0.0/2',
      text: `no top-level value starts at offset ${NAMES_AT} of the data section`,
    },
  ]);
  const inAlias = verifyMmdb(hand.handMade(aliased({ [SIX_TO_FOUR]: { raw: 200 } })));
  t.equal(inAlias.problems[0]?.path, '2002::/16');
  t.end();
});

t.test('a missing or empty description is one problem', (t) => {
  for (const [file, text] of [
    [without('description'), 'missing'],
    [withValue('description', hand.map()), 'empty'],
  ] as const) {
    const { problems } = verifyMmdb(hand.handMade(file));
    t.match(problems, [{ code: 'metadata', path: '/description', text }]);
    t.equal(problems.length, 1);
  }
  t.end();
});

t.test('pointers that multiply values cost no more than their bytes', (t) => {
  const records = [hand.array()];
  let schema: Schema = arrayOf('string');
  for (let level = 1, at = 0, length = 2; level < 64; level++) {
    const target = at;
    const record = hand.array(...Array.from({ length: 200 }, () => hand.pointer(target)));
    records.push(record);
    at = length;
    length += record.length;
    schema = arrayOf(schema);
  }
  const report = verifyMmdb(hand.handMade(holding(Buffer.concat(records))), { schema });
  t.same([...new Set(report.problems.map(({ code }) => code))], ['orphan']);
  t.end();
});

function readOrRefuse(file: Buffer): ReturnType<typeof readMmdb> | undefined {
  try {
    return readMmdb(file);
  } catch (error) {
    if (error instanceof MmdbError) return undefined;
    throw error;
  }
}
