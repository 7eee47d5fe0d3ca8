import { Reader, type Response } from 'maxmind';
import t from 'tap';
import { formatAddress, newAddress, parseAddress, type Address, type Family } from '../net/address.js';
import { addressOf, exampleNetworks } from '../table/networks.fixture.js';
import { PrefixTable } from '../table/prefix-table.js';
import { exampleRecords } from './city-records.fixture.js';
import type { WantedKeys } from './field-decoder.js';
import { MmdbError } from './mmdb-error.js';
import { NO_RECORD, RecordFinder } from './record-finder.js';
import * as hand from './testing/hand-made.js';
import { CITY_SCHEMA } from './testing/record-schemas.js';
import { encodeMmdb } from './write.js';

const NETWORKS = exampleNetworks(3000, 500);
const table = new PrefixTable();
for (let i = 0; i < NETWORKS.count; i++)
  table.insert(addressOf(NETWORKS, i), NETWORKS.lengths[i]!, NETWORKS.recordIds[i]!);
const file = encodeMmdb({
  table: table.flatten(),
  records: exampleRecords(500),
  schema: CITY_SCHEMA,
  databaseType: 'Test',
  description: { en: 'test' },
  languages: [],
  ipVersion: 6,
  buildEpoch: 0,
});

/** Addresses in and beside the networks. */
function* someAddresses(): Generator<{ readonly address: Address; readonly family: Family }> {
  for (let i = 0; i < NETWORKS.count; i++) {
    const address = addressOf(NETWORKS, i);
    const family = NETWORKS.lengths[i]! >= 96 && address[0] === 0 ? 4 : 6;
    yield { address, family };
    const beside = address.slice();
    const word = family === 4 ? 3 : 1;
    beside[word] = beside[word]! - 1;
    yield { address: beside, family };
  }
}

const WANTED: WantedKeys = {
  country: { iso_code: true, names: { en: true } },
  subdivisions: { names: { 'zh-CN': true } },
  location: true,
  no: true,
};

/** The same fields of a record that maxmind has decoded. */
function wantedOf(record: unknown): unknown {
  const { country, subdivisions, location } = record as {
    country: { iso_code: string; names: Record<string, string> };
    subdivisions: { names: Record<string, string> }[];
    location: unknown;
  };
  return {
    country: { iso_code: country.iso_code, names: { en: country.names['en'] } },
    subdivisions: subdivisions.map(({ names }) => ({ names: { 'zh-CN': names['zh-CN'] } })),
    location,
  };
}

t.test('records and their wanted fields are those that maxmind finds', (t) => {
  const finder = new RecordFinder(file);
  const decoder = finder.fieldsOf(WANTED);
  const reader = new Reader<Response>(file);
  let found = 0;
  for (const { address, family } of someAddresses()) {
    const offset = finder.find(address, family);
    const record = reader.get(formatAddress(address, family));
    if ((record === null) !== (offset === NO_RECORD)) t.fail(formatAddress(address, family));
    if (record === null) continue;
    found++;
    t.same(decoder.decode(offset), wantedOf(record));
  }
  t.ok(found > 3000, 'most addresses have a record');
  t.end();
});

t.test('IPv4 in IPv6 is found through the aliases, and not at ::/96', (t) => {
  const finder = new RecordFinder(file);
  const ipv4 = formatAddress(addressOf(NETWORKS, 0), 4);
  const offsetOf = (text: string): number => {
    const { address, family } = parseAddress(text)!;
    return finder.find(address, family);
  };
  t.not(offsetOf(ipv4), NO_RECORD);
  t.equal(offsetOf(`::ffff:${ipv4}`), offsetOf(ipv4));
  t.equal(offsetOf(`::${ipv4}`), NO_RECORD);
  t.end();
});

t.test('an IPv4 file has no record of IPv6, and a record may cover ::/96', (t) => {
  const ipv4 = hand.handMade({ nodes: [[{ data: 0 }, 'none']], data: hand.utf8('a') });
  const finder = new RecordFinder(ipv4);
  t.equal(finder.find(newAddress(), 4), 0);
  t.equal(finder.find(Uint32Array.of(0x2000_0000, 0, 0, 1), 6), NO_RECORD);
  t.same(finder.fieldsOf(WANTED).decode(0), {}, 'a record that is no map has no fields');
  t.end();
});

t.test(
  'every cut of the file gives MmdbError or the same answers, and so does every damaged byte of the data',
  (t) => {
    const small = smallFile();
    const answerOf = (bytes: Buffer): unknown => {
      const finder = new RecordFinder(bytes);
      const offset = finder.find(newAddress(), 4);
      return offset === NO_RECORD ? 'none' : finder.fieldsOf(WANTED).decode(offset);
    };
    const run = (bytes: Buffer): void => {
      try {
        answerOf(bytes);
      } catch (error) {
        if (!(error instanceof MmdbError)) throw error;
      }
    };
    t.match(answerOf(small), { country: { iso_code: 'AA' } });
    for (let length = 0; length < small.length; length++) run(small.subarray(0, length));
    for (let at = 0; at < small.length; at++) {
      for (const value of [0, 0x20, 0x3f, 0xe1, 0xff]) {
        const damaged = Buffer.from(small);
        damaged[at] = value;
        run(damaged);
      }
    }
    t.end();
  },
);

function smallFile(): Buffer {
  const one = new PrefixTable();
  one.insert(newAddress(), 97, 0);
  return encodeMmdb({
    table: one.flatten(),
    records: [{ country: { iso_code: 'AA', names: { en: 'A' } }, city: { names: { en: 'B', de: 'A' } } }],
    schema: CITY_SCHEMA,
    databaseType: 'Test',
    description: { en: 'test' },
    languages: [],
    ipVersion: 4,
    buildEpoch: 0,
  });
}
