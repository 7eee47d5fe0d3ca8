import { Reader } from 'maxmind';
import t from 'tap';
import { ADDRESS_BITS, bitOf, familyOf, formatAddress, newAddress, type Address } from '../net/address.js';
import { maskInto } from '../net/prefix.js';
import type { FlatTable } from '../table/flat-table.js';
import { PrefixTable } from '../table/prefix-table.js';
import { isLeaf, leafSlot, recordIdOf } from '../table/slots.js';
import { DataSection } from './data-section.js';
import { encodeMetadata } from './encode-metadata.js';
import { readMmdb } from './read.js';
import { map } from './schema.js';
import { ipv6Tree } from './search-tree.js';
import { SEPARATOR_BYTES, treeChunks, type RecordSize } from './tree-bytes.js';
import { verifyMmdb } from './verify.js';

const SCHEMA = map({ id: 'uint32', label: 'string' });
const DESCRIPTION = {
  databaseType: 'Random',
  description: { en: 'random' },
  languages: [],
  ipVersion: 6,
  buildEpoch: 0,
} as const;

interface Inserted {
  readonly address: Address;
  readonly length: number;
  readonly recordId: number;
}

t.test('random tables are read back at every record size, and maxmind agrees with a linear scan', (t) => {
  for (let seed = 1; seed <= 12; seed++) {
    const random = generator(seed);
    const inserted = randomPrefixes(random, 20 * seed);
    const table = new PrefixTable();
    for (const { address, length, recordId } of inserted) table.insert(address, length, recordId);
    const flat = table.flatten();
    for (const recordSize of [24, 28, 32] as const) {
      const bytes = encodeAt(recordSize, flat, inserted.length);
      t.same(verifyMmdb(bytes, { schema: SCHEMA }).problems, []);
      const read = readMmdb(bytes);
      t.ok(
        sameNetworks(flat, read.table, read.records as { id: number }[]),
        `seed ${seed}, ${recordSize} bits`,
      );
      const reader = new Reader(bytes);
      for (let i = 0; i < 100; i++) {
        const address = randomAddress(random, inserted);
        const id = (reader.get(formatAddress(address, familyOf(address))) as { id: number } | null)?.id;
        const expected = linearScan(inserted, address);
        if (id !== expected)
          t.fail(`${formatAddress(address, 6)}: ${id}, expected ${expected} as in the scan`);
      }
    }
  }
  t.end();
});

/** Writes the file with a given record size. Small files would all have 24 bits. */
function encodeAt(recordSize: RecordSize, table: FlatTable, records: number): Buffer {
  const tree = ipv6Tree(table);
  const data = new DataSection();
  const offsets = new Uint32Array(records);
  for (let i = 0; i < 2 * tree.nodeCount; i++) {
    const slot = tree.slots[i]!;
    if (!isLeaf(slot)) continue;
    const id = recordIdOf(slot);
    offsets[id] = data.addRecord({ id, label: `record ${id}` }, SCHEMA);
  }
  const chunks = Array.from(treeChunks(tree, offsets, recordSize), (chunk) => Buffer.from(chunk));
  const metadata = encodeMetadata(DESCRIPTION, tree.nodeCount, recordSize);
  return Buffer.concat([...chunks, Buffer.alloc(SEPARATOR_BYTES), data.view(), metadata]);
}

/** Whether the tables have the same nodes, with the records of `read` replaced by the ids in them. */
function sameNetworks(table: FlatTable, read: FlatTable, records: readonly { id: number }[]): boolean {
  const slots = Array.from(read.slots.subarray(0, 2 * read.nodeCount), (slot) =>
    isLeaf(slot) ? leafSlot(records[recordIdOf(slot)]!.id) : slot,
  );
  return Buffer.from(Uint32Array.from(slots).buffer).equals(
    Buffer.from(table.slots.slice(0, 2 * table.nodeCount).buffer),
  );
}

/** Creates distinct nested prefixes of both families. IPv6 is in 2400::/6, outside of the aliases. */
function randomPrefixes(random: () => number, count: number): Inserted[] {
  const inserted = new Map<string, Inserted>();
  for (let recordId = 0; inserted.size < count; recordId = inserted.size) {
    const isIpv4 = random() % 3 > 0;
    const near = recordId > 0 && random() % 2 === 0 ? [...inserted.values()][random() % recordId] : undefined;
    const address = newAddress();
    if (near) address.set(near.address);
    else if (!isIpv4) address[0] = 0x24000000 | (random() & 0x03ffffff);
    const shortest = near ? near.length : isIpv4 ? 96 : 6;
    const length = Math.min(ADDRESS_BITS, shortest + (random() % (near ? 12 : isIpv4 ? 33 : 123)));
    for (let bit = shortest; bit < ADDRESS_BITS; bit++) {
      if (random() % 2 === 1) address[bit >>> 5]! |= 1 << (31 - (bit & 31));
    }
    maskInto(address, length);
    inserted.set(`${address.join()}/${length}`, { address, length, recordId });
  }
  return [...inserted.values()];
}

/** Creates an address near a prefix, or a random one in space with prefixes. */
function randomAddress(random: () => number, inserted: readonly Inserted[]): Address {
  const { address, length } = inserted[random() % inserted.length]!;
  const from = random() % 4 === 0 ? (familyOf(address) === 4 ? 96 : 6) : length;
  const picked = address.slice();
  for (let bit = from; bit < ADDRESS_BITS; bit++) {
    if (random() % 2 === 1) picked[bit >>> 5]! ^= 1 << (31 - (bit & 31));
  }
  return picked;
}

function linearScan(inserted: readonly Inserted[], address: Address): number | undefined {
  let best: Inserted | undefined;
  for (const candidate of inserted) {
    if (covers(candidate, address) && (best === undefined || candidate.length > best.length))
      best = candidate;
  }
  return best?.recordId;
}

function covers({ address, length }: Inserted, other: Address): boolean {
  for (let bit = 0; bit < length; bit++) if (bitOf(address, bit) !== bitOf(other, bit)) return false;
  return true;
}

function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 7;
  };
}
