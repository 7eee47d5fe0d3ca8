import { createHash } from 'node:crypto';
import { IPV4_DEPTH, newAddress } from '../../net/address.js';
import { arrayOf, map, mapOf, type Schema } from '../../mmdb/schema.js';
import { encodeMmdb } from '../../mmdb/write.js';
import { PrefixTable } from '../../table/prefix-table.js';

const NAMES = mapOf('string');
const PLACE = map({ confidence: 'uint16', geoname_id: 'uint32', names: NAMES });

/** A schema with every kind of value, and with one schema in several places. */
export const RANDOM_SCHEMA: Schema = map({
  city: PLACE,
  country: PLACE,
  regions: arrayOf(PLACE),
  location: map({ latitude: 'double', longitude: 'float', time_zone: 'string' }),
  flags: arrayOf('boolean'),
  tags: arrayOf('string'),
  serial: 'uint64',
  offset: 'int32',
  blob: 'bytes',
});

/** Returns whole numbers below `limit`, the same for the same seed. */
export function randomNumbers(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

type Random = (limit: number) => number;

/** A network of a random file: the bits of its prefix in four words, its length, and the number of its record. */
export interface RandomNetwork {
  readonly words: readonly number[];
  readonly length: number;
  readonly record: number;
}

/** Returns random networks of both families, or of IPv4 alone, outside the aliases of IPv4. */
export function randomNetworks(random: Random, count: number, ipVersion: 4 | 6): RandomNetwork[] {
  return Array.from({ length: count }, () => {
    const record = random(count);
    if (ipVersion === 4 || random(3) > 0)
      return { words: [0, 0, 0, random(2 ** 32)], length: IPV4_DEPTH + 1 + random(32), record };
    return {
      words: [0x2a000000 + random(4096), random(2 ** 32), random(4), 0],
      length: 8 + random(90),
      record,
    };
  });
}

/** Returns the networks after some were added, removed, or given another record. */
export function changedNetworks(
  random: Random,
  networks: readonly RandomNetwork[],
  ipVersion: 4 | 6,
): RandomNetwork[] {
  const kept = networks.filter(() => random(10) > 0);
  const moved = kept.map((one) => (random(6) > 0 ? one : { ...one, record: random(3 * networks.length) }));
  return [...moved, ...randomNetworks(random, random(6), ipVersion)];
}

/** Returns the bytes of a file with these networks. Equal numbers are equal records. */
export function fileOf(networks: readonly RandomNetwork[], ipVersion: 4 | 6, buildEpoch = 0): Buffer {
  const table = new PrefixTable();
  for (const { words, length, record } of networks) {
    const address = newAddress();
    for (let bit = 0; bit < length; bit++)
      address[bit >>> 5]! |= words[bit >>> 5]! & (1 << (31 - (bit & 31)));
    table.insert(address, length, record);
  }
  const highest = networks.reduce((most, { record }) => Math.max(most, record), 0);
  return encodeMmdb({
    ...{ table: table.flatten(), schema: RANDOM_SCHEMA, ipVersion, buildEpoch },
    records: Array.from({ length: highest + 1 }, (_, id) => recordOf(id)),
    databaseType: 'Random',
    description: { en: 'random' },
    languages: ['en'],
  });
}

/** Returns the record of a number. Several numbers have parts, or the whole record, in common. */
function recordOf(number: number): Readonly<Record<string, unknown>> {
  const random = randomNumbers(number % 97);
  const place = () => ({
    ...(random(2) > 0 && { confidence: 5 * random(20) }),
    ...(random(3) > 0 && { geoname_id: random(50) * 100_003 }),
    names: { en: `Place ${random(40)}`, ...(random(2) > 0 && { 'zh-CN': `地方 ${random(9)}` }) },
  });
  return {
    ...(random(4) > 0 && { city: place() }),
    ...(random(4) > 0 && { country: place() }),
    regions: Array.from({ length: random(3) }, place),
    ...(random(2) > 0 && {
      location: { latitude: random(1000) / 8, longitude: random(100), time_zone: 'x'.repeat(random(300)) },
    }),
    flags: Array.from({ length: random(3) }, () => random(2) > 0),
    tags: Array.from({ length: random(4) }, () => `tag ${random(12)}`),
    ...(random(5) === 0 && { serial: BigInt(random(2 ** 32)) << BigInt(random(32)) }),
    ...(random(5) === 0 && { offset: random(2000) - 1000 }),
    ...(random(5) === 0 && { blob: Buffer.alloc(random(40), random(256)) }),
  };
}

/** Returns bytes with their digest. */
export function digested(bytes: Buffer): { bytes: Buffer; sha256: string; sizeBytes: number } {
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex'), sizeBytes: bytes.length };
}
