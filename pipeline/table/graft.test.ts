import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { newAddress } from '../net/address.js';
import { formatPrefix, maskInto } from '../net/prefix.js';
import { divideSpace } from './divide.js';
import { FlatTable } from './flat-table.js';
import { joinSubtrees } from './graft.js';
import { PrefixTable } from './prefix-table.js';
import { relabelBelow } from './relabel.js';
import { dividedTable, type DividedTable } from './subtree.js';
import { readTable, TableFile, TableFileError, writeTable } from './table-file.js';
import { ABSENT, zip, zipBelow } from './zip.js';

const dir = t.testdir();

function lcg(seed: number): () => number {
  return () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

/** A table of random networks of both families, with few records, so that neighbours are often equal. */
function randomTable(seed: number, count: number): FlatTable {
  const random = lcg(seed);
  const table = new PrefixTable();
  for (let i = 0; i < count; i++) {
    const isIpv4 = random() < 0.7;
    const address = newAddress();
    const length = isIpv4 ? 96 + Math.floor(random() * 33) : Math.floor(random() * 129);
    for (let word = isIpv4 ? 3 : 0; word < 4; word++) address[word] = Math.floor(random() * 2 ** 32);
    maskInto(address, length);
    table.insert(address, length, Math.floor(random() * 3));
  }
  return table.flatten();
}

const combine = (ids: Int32Array): number => {
  const sum = ids.reduce((total, id) => total + id, 0);
  return sum === 0 ? ABSENT : Math.abs(sum);
};

/** Zips tables part by part and joins the parts. */
function zipInParts(tables: readonly DividedTable[], count: number): FlatTable {
  const parts = divideSpace(tables, count);
  t.equal(parts.length, count);
  const ids = Uint32Array.from({ length: 64 }, (_, id) => id);
  return joinSubtrees(
    parts
      .flatMap(({ blocks }) => blocks)
      .map((block) => {
        const below = tables.map((table) => table.below(block));
        return { block, ids, ...zipBelow(below, { depth: block.length, combine }) };
      }),
  );
}

t.test('tables that are zipped in parts give the same nodes as tables that are zipped at once', (t) => {
  for (const [seed, size] of [2, 30, 400, 3000].entries()) {
    const tables = [1, 2, 3].map((other) => randomTable(10 * seed + other, size));
    const whole = zip(tables, combine);
    for (const count of [1, 2, 3, 8, 50]) {
      const joined = zipInParts(tables.map(dividedTable), count);
      t.strictSame(joined.slots, whole.slots, `${size} networks in ${count} parts`);
    }
  }
  t.end();
});

t.test('empty tables, and tables that cover everything, can be divided', (t) => {
  const all = new PrefixTable();
  all.insert(newAddress(), 0, 1);
  for (const tables of [[FlatTable.empty()], [all.flatten()], [FlatTable.empty(), all.flatten()]]) {
    for (const count of [1, 2, 8]) {
      t.strictSame(zipInParts(tables.map(dividedTable), count).slots, zip(tables, combine).slots);
    }
  }
  t.end();
});

t.test('parts have about the same number of nodes', (t) => {
  const tables = [1, 2, 3].map((seed) => dividedTable(randomTable(seed, 20_000)));
  const total = tables.reduce((sum, { nodeCount }) => sum + nodeCount, 0);
  const weights = divideSpace(tables, 8).map(({ blocks, nodeCount }) => {
    const below = blocks.flatMap((block) => tables.map((table) => table.below(block).nodeCount));
    t.equal(
      below.reduce((sum, nodes) => sum + nodes, 0),
      nodeCount,
    );
    return nodeCount;
  });
  for (const weight of weights) t.ok(Math.abs(weight - total / 8) < total / 40, `${weight} of ${total}`);
  t.end();
});

t.test('a table in a file is read below a prefix as in memory', (t) => {
  const tables = [4, 5].map((seed) => randomTable(seed, 2000));
  const files = tables.map((table, i) => {
    const path = join(dir, `table-${i}`);
    writeTable(path, table);
    t.strictSame(readTable(path).slots, table.slots);
    return new TableFile(path);
  });
  t.strictSame(zipInParts(files, 8).slots, zip(tables, combine).slots);
  for (const file of files) file.close();
  t.end();
});

t.test('a file that is cut is refused', (t) => {
  const path = join(dir, 'cut');
  const table = randomTable(6, 100);
  writeTable(path, table);
  truncateSync(path, 8 * table.nodeCount - 4);
  t.throws(() => readTable(path), TableFileError);
  truncateSync(path, 8 * (table.nodeCount - 1));
  const file = new TableFile(path);
  t.throws(() => file.read(0, table.nodeCount), TableFileError);
  file.close();
  t.end();
});

t.test('records of subtrees are relabelled when they are grafted', (t) => {
  const table = dividedTable(randomTable(7, 500));
  const [left, right] = divideSpace([table], 2);
  const grafts = [...left!.blocks, ...right!.blocks].map((block) => ({
    ...relabelBelow(table.below(block), block.length, [2, 0, 1]),
    block,
    ids: [8, 9, 7],
  }));
  const ids = new Map<string, number>();
  joinSubtrees(grafts).forEach((address, length, id) => ids.set(formatPrefix(address, length, 6), id));
  let networks = 0;
  const { slots, nodeCount } = table.below({ address: newAddress(), length: 0 });
  new FlatTable(slots, nodeCount).forEach((address, length, id) => {
    networks++;
    t.equal(ids.get(formatPrefix(address, length, 6)), 7 + id);
  });
  t.equal(ids.size, networks);
  t.end();
});

t.test('subtrees that leave a gap, overlap or are not in order are refused', (t) => {
  const table = dividedTable(randomTable(8, 500));
  const blocks = divideSpace([table], 3).flatMap((part) => part.blocks);
  const join = (chosen: typeof blocks): FlatTable =>
    joinSubtrees(chosen.map((block) => ({ ...table.below(block), block, ids: [0, 1, 2] })));
  t.throws(() => join(blocks.slice(1)), /in order|cover/);
  t.throws(() => join(blocks.slice(0, -1)), /do not cover/);
  t.throws(() => join([...blocks, blocks[0]!]), /overlap/);
  t.end();
});
