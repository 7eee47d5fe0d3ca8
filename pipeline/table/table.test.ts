import t from 'tap';
import { bitOf, compareAddresses, newAddress, parseAddress, type Address } from '../net/address.js';
import { formatPrefix, lastAddressInto, maskInto, parsePrefix } from '../net/prefix.js';
import { FlatTable } from './flat-table.js';
import { PrefixTable } from './prefix-table.js';
import { isNode } from './slots.js';
import { ABSENT, zip } from './zip.js';

interface Row {
  readonly start: Address;
  readonly end: Address;
  /** Bits of the shortest prefix; a range is as specific as each of its prefixes. */
  readonly length: number;
  readonly id: number;
}

const at = (text: string): Address => parseAddress(text)!.address;

function insert(table: PrefixTable, text: string, id: number): number | undefined {
  const prefix = parsePrefix(text);
  if (!prefix) throw new Error(text);
  return table.insert(prefix.address, prefix.length, id);
}

function lcg(seed: number): () => number {
  return () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

/** Random nested prefixes of both families, each prefix once. */
function randomRows(seed: number, count: number): Row[] {
  const random = lcg(seed);
  const rows = new Map<string, Row>();
  const bases: Address[] = [at('10.0.0.0'), at('2001:db8::')];
  while (rows.size < count) {
    const start = newAddress();
    start.set(bases[Math.floor(random() * bases.length)]!);
    const isIpv4 = start[0] === 0;
    const length = isIpv4 ? 96 + Math.floor(random() * 33) : Math.floor(random() * 129);
    for (let word = isIpv4 ? 3 : 0; word < 4; word++) {
      if (random() < 0.5) start[word] = Math.floor(random() * 2 ** 32);
    }
    maskInto(start, length);
    if (random() < 0.5) bases.push(start.slice());
    const end = newAddress();
    lastAddressInto(start, length, end);
    rows.set(formatPrefix(start, length, 6), { start, end, length, id: rows.size % 7 });
  }
  return [...rows.values()];
}

/** Returns the record of the most specific row that contains the address, with a linear scan. */
function scan(rows: readonly Row[], address: Address): number | undefined {
  let best: Row | undefined;
  for (const row of rows) {
    const holds = compareAddresses(row.start, address) <= 0 && compareAddresses(address, row.end) <= 0;
    if (holds && (!best || row.length > best.length)) best = row;
  }
  return best?.id;
}

/** Addresses to look up: both ends of every row, their neighbours, and random ones. */
function probes(rows: readonly Row[], seed: number): Address[] {
  const random = lcg(seed);
  const edges = rows.flatMap((row) => [row.start, row.end]);
  const beside = edges.map((address) => {
    const other = address.slice();
    other[3] = other[3]! + (random() < 0.5 ? 1 : -1);
    return other;
  });
  const anywhere = Array.from({ length: 100 }, () =>
    Uint32Array.from({ length: 4 }, () => random() * 2 ** 32),
  );
  return [...edges, ...beside, ...anywhere];
}

function build(rows: readonly Row[]): FlatTable {
  const table = new PrefixTable();
  for (const row of rows) table.insert(row.start, row.length, row.id);
  return table.flatten();
}

function shuffled<T>(values: readonly T[], seed: number): T[] {
  const random = lcg(seed);
  const mixed = [...values];
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [mixed[i], mixed[j]] = [mixed[j]!, mixed[i]!];
  }
  return mixed;
}

function networksOf(table: FlatTable): string[] {
  const networks: string[] = [];
  table.forEach((address, length, id) => networks.push(`${formatPrefix(address, length, 6)} ${id}`));
  return networks;
}

t.test('a record id outside 0 to 2^31 - 2 is refused with the allowed range', (t) => {
  const table = new PrefixTable();
  for (const id of [-1, 2 ** 31 - 1])
    t.throws(() => insert(table, '1.0.0.0/24', id), {
      message: 'invalid record id: expected 0 to 2^31 - 2',
    });
  t.equal(insert(table, '1.0.0.0/24', 2 ** 31 - 2), undefined);
  t.end();
});

t.test('lookups agree with a linear scan over random nested prefixes', (t) => {
  for (let seed = 1; seed <= 20; seed++) {
    const rows = randomRows(seed, 150);
    const table = build(rows);
    for (const address of probes(rows, seed)) {
      if (table.lookup(address)?.recordId !== scan(rows, address)) t.fail(`seed ${seed}`);
    }
  }
  t.pass('20 tables');
  t.end();
});

t.test('the order of insertion does not matter', (t) => {
  for (let seed = 1; seed <= 20; seed++) {
    const rows = randomRows(seed, 150);
    const expected = build(rows);
    const mixed = build(shuffled(rows, seed));
    t.same(networksOf(mixed), networksOf(expected), `seed ${seed}`);
    t.same(mixed.slots, expected.slots, 'nodes are also in the same order');
  }
  t.end();
});

t.test('ranges in any order agree with a linear scan', (t) => {
  const random = lcg(11);
  for (let round = 0; round < 30; round++) {
    // Disjoint ranges: cut points in order, every second gap is a range.
    const cuts = Array.from({ length: 40 }, () => Uint32Array.of(0, 0, 0, random() * 2 ** 32)).sort(
      compareAddresses,
    );
    const rows: Row[] = [];
    for (let i = 0; i + 1 < cuts.length; i += 2)
      rows.push({ start: cuts[i]!, end: cuts[i + 1]!, length: 0, id: i });
    const table = new PrefixTable();
    for (const row of shuffled(rows, round)) table.insertRange(row.start, row.end, row.id);
    const flat = table.flatten();
    for (const address of probes(rows, round)) {
      if (flat.lookup(address)?.recordId !== scan(rows, address)) t.fail(`round ${round}`);
    }
  }
  t.pass('30 tables');
  t.end();
});

t.test('the whole space, single addresses and neighbours', (t) => {
  const table = new PrefixTable();
  insert(table, '::/0', 1);
  insert(table, '1.2.3.4/32', 2);
  insert(table, '1.2.3.5/32', 2);
  insert(table, '2001:db8::1/128', 3);
  insert(table, '0.0.0.0/0', 4);
  const flat = table.flatten();
  t.same(flat.lookup(at('1.2.3.4')), { recordId: 2, length: 127 }, 'equal neighbours are joined');
  t.same(flat.lookup(at('1.2.3.6'))?.recordId, 4);
  t.same(flat.lookup(at('2001:db8::1')), { recordId: 3, length: 128 });
  t.same(flat.lookup(at('ffff::'))?.recordId, 1);
  t.end();
});

t.test('a range over the full space is one network', (t) => {
  const table = new PrefixTable();
  table.insertRange(at('::'), at('ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'), 5);
  const flat = table.flatten();
  t.same(networksOf(flat), ['::/1 5', '8000::/1 5'], 'the root stays a node');
  t.equal(flat.nodeCount, 1);
  t.end();
});

t.test('an empty table has no network', (t) => {
  const flat = new PrefixTable().flatten();
  t.equal(flat.lookup(at('1.1.1.1')), undefined);
  t.same(networksOf(flat), []);
  t.same(networksOf(FlatTable.empty()), []);
  t.end();
});

t.test('a prefix that was inserted before keeps its record', (t) => {
  const table = new PrefixTable();
  t.equal(insert(table, '10.0.0.0/8', 1), undefined);
  t.equal(insert(table, '10.0.0.0/8', 2), 1);
  t.equal(insert(table, '10.1.0.0/16', 3), undefined);
  t.equal(insert(table, '10.0.0.0/8', 4), 1, 'also after it has become an inner node');
  t.equal(insert(table, '::/0', 5), undefined);
  t.equal(insert(table, '::/0', 6), 5);
  t.equal(table.flatten().lookup(at('10.2.0.0'))?.recordId, 1);
  t.end();
});

t.test('covering prefixes are kept and returned with the shortest first', (t) => {
  const table = new PrefixTable();
  for (const [text, id] of [
    ['10.0.0.0/8', 1],
    ['10.1.0.0/16', 2],
    ['10.1.1.0/24', 3],
    ['10.2.0.0/16', 4],
  ] as const) {
    insert(table, text, id);
  }
  t.same(table.covering(at('10.1.1.1')), [
    { length: 104, recordId: 1 },
    { length: 112, recordId: 2 },
    { length: 120, recordId: 3 },
  ]);
  t.same(
    table.covering(at('10.1.1.1'), 112).map((c) => c.recordId),
    [1, 2],
  );
  t.same(table.covering(at('11.0.0.0')), []);
  t.end();
});

t.test('the slot of a prefix shows whether one network covers all of it', (t) => {
  const table = new PrefixTable();
  insert(table, '10.0.0.0/8', 1);
  insert(table, '10.1.0.0/16', 2);
  insert(table, '2001:db8::/32', 3);
  const flat = table.flatten();
  const slot = (text: string): number => {
    const prefix = parsePrefix(text)!;
    return flat.slotOfPrefix(prefix.address, prefix.length);
  };
  t.ok(isNode(slot('10.0.0.0/8')));
  t.equal(slot('10.1.2.0/24'), slot('10.1.0.0/16'));
  t.equal(slot('11.0.0.0/8'), 0xffff_ffff);
  t.notOk(isNode(slot('2001:db8:1::/48')));
  t.end();
});

t.test(
  'only ::/96 has the slots of IPv4: ::ffff:0:0/96 and other prefixes of 96 bits have their own',
  (t) => {
    const table = new PrefixTable();
    insert(table, '10.0.0.0/8', 1);
    const others = ['::ffff:0:0/96', '0:0:1::/96', '1::/96', '::ffff:10.0.0.0/104', '::1:a00:0/128'];
    others.forEach((text, i) => insert(table, text, i + 2));
    const flat = table.flatten();
    const slots = ['10.0.0.0/8', ...others].map((text) => {
      const { address, length } = parsePrefix(text)!;
      return flat.slotOfPrefix(address, length);
    });
    t.notOk(isNode(slots[0]!));
    t.ok(isNode(slots[1]!), '::ffff:0:0/96 is divided');
    t.equal(new Set(slots).size, slots.length);
    t.end();
  },
);

t.test('zip gives every address the combination of the answers of its tables', (t) => {
  for (let seed = 1; seed <= 10; seed++) {
    const inputs = [randomRows(seed, 80), randomRows(seed + 100, 80), randomRows(seed + 200, 80)];
    const tables = inputs.map(build);
    const zipped = zip(tables, (ids) => {
      const sum = ids.reduce((total, id, i) => total + (id + 1) * 10 ** i, 0);
      return sum % 5 === 0 ? ABSENT : sum;
    });
    for (const address of inputs.flatMap((rows) => probes(rows, seed))) {
      const ids = inputs.map((rows) => scan(rows, address) ?? ABSENT);
      const sum = ids.reduce((total, id, i) => total + (id + 1) * 10 ** i, 0);
      const expected = ids.every((id) => id === ABSENT) || sum % 5 === 0 ? undefined : sum;
      if (zipped.lookup(address)?.recordId !== expected) t.fail(`seed ${seed}`);
    }
  }
  t.pass('10 triples of tables');
  t.end();
});

t.test('zip calls combine once per distinct tuple and joins equal neighbours', (t) => {
  const left = new PrefixTable();
  insert(left, '10.0.0.0/8', 1);
  insert(left, '12.0.0.0/8', 1);
  const right = new PrefixTable();
  insert(right, '10.128.0.0/9', 2);
  const asked: string[] = [];
  const zipped = zip([left.flatten(), right.flatten()], (ids) => {
    asked.push(ids.join());
    return 7;
  });
  t.same(asked.sort(), ['1,-1', '1,2']);
  t.equal(networksOf(zipped).length, 2);
  t.end();
});

t.test('iteration is in address order and never overlaps', (t) => {
  const flat = build(randomRows(3, 300));
  const last = newAddress();
  let previous: Address | undefined;
  flat.forEach((address, length) => {
    if (previous && compareAddresses(previous, address) >= 0) t.fail('out of order');
    for (let bit = length; bit < 128; bit++) if (bitOf(address, bit)) t.fail('host bits');
    lastAddressInto(address, length, last);
    previous = last.slice();
  });
  t.equal(flat.networkCount(), networksOf(flat).length);
  t.end();
});
