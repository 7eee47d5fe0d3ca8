import t, { type Test } from 'tap';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newAddress } from '../net/address.js';
import { parsePrefix } from '../net/prefix.js';
import { AddressCount } from '../table/address-count.js';
import { PrefixTable } from '../table/prefix-table.js';
import { ABSENT, zip } from '../table/zip.js';
import { compareIpv4Fields } from './ipv4-pairs.js';
import { readMmdb } from './read.js';
import { map } from './schema.js';
import { utf8, handMade } from './testing/hand-made.js';
import { writeMmdb } from './write.js';

const SCHEMA = map({ city: map({ name: 'string' }), country: 'string', noise: 'uint16' });
interface Row {
  readonly country?: string;
  readonly city?: { readonly name: string };
  readonly noise?: number;
}

/** Writes a file with records by prefix, in this order. */
function fileOf(t: Test, rows: readonly (readonly [prefix: string, record: Row])[], ipVersion: 4 | 6 = 6) {
  const table = new PrefixTable();
  rows.forEach(([text], id) => {
    const { address, length } = parsePrefix(text)!;
    table.insert(address, length, id);
  });
  const path = join(t.testdir({}), 'x.mmdb');
  writeMmdb(path, {
    ...{ table: table.flatten(), records: rows.map(([, record]) => record), schema: SCHEMA },
    ...{ databaseType: 'test', description: { en: 'test' }, languages: ['en'], ipVersion, buildEpoch: 1 },
  });
  return readFileSync(path);
}

/** Returns the addresses of each pair of texts. */
function compared(before: Buffer, after: Buffer): Record<string, number> {
  const found: Record<string, number> = {};
  compareIpv4Fields([before, after], {
    fields: [
      { name: 'country', textOf: String },
      { name: 'city', textOf: (value) => (value as { name: string }).name },
    ],
    visit: (one, other, ipv4Addresses) => {
      const key = `${one?.join(' ') ?? 'none'} > ${other?.join(' ') ?? 'none'}`;
      if (key in found) throw new Error(`${key} is visited twice`);
      found[key] = ipv4Addresses;
    },
  });
  return found;
}

t.test('addresses are counted by the texts of the named fields in both files', (t) => {
  const before = fileOf(t, [
    ['10.0.0.0/8', { country: 'FR', city: { name: 'Lyon' }, noise: 1 }],
    ['10.1.0.0/16', { country: 'FR', city: { name: 'Lyon' }, noise: 2 }],
    ['11.0.0.0/8', { country: 'DE' }],
    ['2001:db8::/32', { country: 'JP' }],
  ]);
  const after = fileOf(t, [
    ['10.0.0.0/9', { country: 'FR', city: { name: 'Lyon' }, noise: 7 }],
    ['10.128.0.0/9', { country: 'FR', city: { name: 'Paris' } }],
    ['12.0.0.0/24', {}],
    ['2001:db8::/32', { country: 'KR' }],
  ]);
  t.same(compared(before, after), {
    'FR Lyon > FR Lyon': 2 ** 23,
    'FR Lyon > FR Paris': 2 ** 23,
    'DE  > none': 2 ** 24,
    'none >  ': 256,
  });
  t.end();
});

t.test('an IPv4 file, and one network around the whole IPv4 space, are compared', (t) => {
  const whole = fileOf(t, [['::/0', { country: 'FR' }]]);
  const ipv4 = fileOf(t, [['128.0.0.0/1', { country: 'FR' }]], 4);
  t.same(compared(whole, ipv4), { 'FR  > FR ': 2 ** 31, 'FR  > none': 2 ** 31 });
  t.same(compared(ipv4, whole), { 'FR  > FR ': 2 ** 31, 'none > FR ': 2 ** 31 });
  t.end();
});

t.test('the counts of random files agree with tables that are zipped', (t) => {
  for (let seed = 1; seed <= 30; seed++) {
    let state = seed;
    const random = (below: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return (state >>> 8) % below;
    };
    const rows = (): (readonly [string, Row])[] =>
      Array.from({ length: 60 }, () => {
        const name = ['a', 'b', 'a longer name of a city'][random(3)]!;
        const record = { country: ['FR', 'DE'][random(2)]!, ...(random(3) > 0 && { city: { name } }) };
        const prefix = `${random(4)}.${random(4)}.${random(256)}.0/${8 + random(17)}`;
        return [prefix, { ...record, noise: random(5) }] as const;
      });
    const files = [fileOf(t, rows()), fileOf(t, rows())] as const;
    t.same(compared(...files), zipped(...files), `seed ${seed}`);
  }
  t.end();
});

/** Counts the same with tables of all records. */
function zipped(before: Buffer, after: Buffer): Record<string, number> {
  const [one, other] = [readMmdb(before), readMmdb(after)];
  const textOf = (record: unknown): string => {
    const { country = '', city } = record as Row;
    return `${country} ${city?.name ?? ''}`;
  };
  const keys: string[] = [];
  const table = zip([one.table, other.table], (ids) => {
    const texts = [one, other].map(({ records }, i) => {
      return ids[i] === ABSENT ? 'none' : textOf(records[ids[i]!]);
    });
    const key = texts.join(' > ');
    return keys.includes(key) ? keys.indexOf(key) : keys.push(key) - 1;
  });
  const counts = new Map<string, AddressCount>();
  const address = newAddress();
  table.forEach((at, length, id) => {
    address.set(at);
    const count = counts.get(keys[id]!) ?? new AddressCount();
    count.addNetwork(address, length);
    counts.set(keys[id]!, count);
  });
  return Object.fromEntries([...counts].map(([key, { ipv4Addresses }]) => [key, ipv4Addresses]));
}

t.test('records that are not maps, and text, are refused', (t) => {
  const texts = handMade({ nodes: [[{ data: 0 }, 'none']], data: utf8('a'), recordSize: 24 });
  const good = fileOf(t, [['10.0.0.0/8', { country: 'FR' }]]);
  t.throws(() => compared(good, texts), { name: 'MmdbError', message: /the record is not a map/ });
  t.throws(() => compared(Buffer.from('text'), good), { name: 'MmdbError' });
  t.end();
});
