import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { formatPrefix } from '../net/prefix.js';
import { MmdbError } from './mmdb-error.js';
import { readMmdb, readMmdbFile, type ReadMmdb } from './read.js';
import * as hand from './testing/hand-made.js';
import { leftChain } from './testing/hand-made.js';
import { refusalOf } from './testing/refusal.js';

const A = hand.utf8('a');
const B = hand.utf8('b');
const DATA = Buffer.concat([A, B]);
const a = { data: 0 };
const b = { data: A.length };

function networksOf({ table, records }: ReadMmdb): [string, unknown][] {
  const networks: [string, unknown][] = [];
  table.forEach((address, length, recordId) => {
    networks.push([formatPrefix(address, length), records[recordId]]);
  });
  return networks;
}

t.test('an IPv4 file is loaded at ::/96, with every record size', (t) => {
  for (const recordSize of [24, 28, 32] as const) {
    const read = readMmdb(
      hand.handMade({
        nodes: [
          [{ node: 1 }, b],
          ['none', a],
        ],
        data: DATA,
        recordSize,
      }),
    );
    t.same(networksOf(read), [
      ['64.0.0.0/2', 'a'],
      ['128.0.0.0/1', 'b'],
    ]);
    t.equal(read.metadata.recordSize, recordSize);
  }
  t.end();
});

t.test('record values use all bits of their size', (t) => {
  const filler = hand.payload(4, 'ab'.repeat(70_000));
  for (const recordSize of [24, 28, 32] as const) {
    const read = readMmdb(
      hand.handMade({
        nodes: [[{ data: filler.length }, { data: filler.length + 2 }]],
        data: Buffer.concat([filler, A, B]),
        recordSize,
      }),
    );
    t.same(
      networksOf(read).map(([, record]) => record),
      ['a', 'b'],
    );
  }
  t.end();
});

t.test('records are numbered in the order of their first use', (t) => {
  const read = readMmdb(
    hand.handMade({
      nodes: [
        [{ node: 1 }, { node: 2 }],
        [b, a],
        [b, 'none'],
      ],
      data: DATA,
    }),
  );
  t.same(read.records, ['b', 'a']);
  t.end();
});

t.test('equal neighbours are joined even if the file keeps them apart', (t) => {
  const read = readMmdb(
    hand.handMade({
      nodes: [
        [{ node: 1 }, { node: 2 }],
        [a, a],
        ['none', 'none'],
      ],
      data: DATA,
    }),
  );
  t.same(networksOf(read), [['0.0.0.0/1', 'a']]);
  const whole = readMmdb(hand.handMade({ nodes: [[a, a]], data: DATA }));
  t.same(networksOf(whole), [['0.0.0.0/0', 'a']]);
  t.same(networksOf(readMmdb(hand.handMade({ nodes: [['none', 'none']], data: DATA }))), []);
  t.end();
});

t.test('one record for the whole of IPv6 stays one network per half', (t) => {
  const read = readMmdb(hand.handMade({ nodes: [[a, a]], data: DATA, ipVersion: 6 }));
  t.same(networksOf(read), [
    ['::/1', 'a'],
    ['8000::/1', 'a'],
  ]);
  t.end();
});

t.test('an alias is skipped, another node that is reached twice is refused', (t) => {
  const chain = leftChain(16, { node: 16 });
  const rest = leftChain(80, { node: 96 }, 16);
  const right = (node: number, record: hand.HandMadeRecord): void => {
    nodes[node] = [nodes[node]![0], record];
  };
  const nodes = [...chain, ...rest, [a, 'none'] as hand.HandMadeNode];
  // 2002::/16 is 0010 0000 0000 0010: away from the left side at bits 2 and 14.
  right(2, { node: 97 });
  for (let i = 0; i < 11; i++) nodes.push([{ node: 98 + i }, 'none']);
  nodes.push(['none', { node: 109 }], [{ node: 96 }, b]);
  const read = readMmdb(hand.handMade({ nodes, data: DATA, ipVersion: 6 }));
  t.same(networksOf(read), [
    ['0.0.0.0/1', 'a'],
    ['2003::/16', 'b'],
  ]);
  nodes[109] = ['none', { node: 96 }];
  t.equal(refusalOf(() => readMmdb(hand.handMade({ nodes, data: DATA, ipVersion: 6 }))).fault, 'node-shared');
  t.end();
});

t.test('a file is read from disk', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'read-'));
  t.teardown(() => {
    rmSync(folder, { recursive: true });
  });
  const path = join(folder, 'small.mmdb');
  writeFileSync(path, hand.handMade({ nodes: [[a, b]], data: DATA }));
  t.same(networksOf(readMmdbFile(path)), [
    ['0.0.0.0/1', 'a'],
    ['128.0.0.0/1', 'b'],
  ]);
  t.throws(() => readMmdbFile(join(folder, 'none.mmdb')), { code: 'ENOENT' });
  t.end();
});

t.test('the error for an invalid tree names the network', (t) => {
  const cases = [
    ['record-gap', { raw: 5 }, '64.0.0.0/2'],
    ['record-range', { raw: 99 }, '64.0.0.0/2'],
    ['node-shared', { node: 0 }, '64.0.0.0/2'],
  ] as const;
  for (const [fault, record, path] of cases) {
    const file = hand.handMade({
      nodes: [
        [{ node: 1 }, b],
        [a, record],
      ],
      data: DATA,
    });
    const refusal = refusalOf(() => readMmdb(file));
    t.same([refusal.fault, refusal.path, refusal.offset], [fault, path, 6]);
  }
  t.equal(
    refusalOf(() => readMmdb(hand.handMade({ nodes: leftChain(33, a), data: DATA }))).fault,
    'tree-depth',
  );
  t.throws(() => readMmdb(Buffer.alloc(0)), MmdbError);
  t.end();
});
