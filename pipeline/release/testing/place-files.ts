import { CITY_SCHEMA, type CityRecord } from '../../merge/city-record.js';
import { writeMmdb } from '../../mmdb/write.js';
import { parsePrefix } from '../../net/prefix.js';
import { PrefixTable } from '../../table/prefix-table.js';

/** Records of `geo.mmdb` by prefix. */
export type PlaceRows = readonly (readonly [prefix: string, record: CityRecord])[];

/** Writes a small `geo.mmdb`. */
export function writePlaces(path: string, rows: PlaceRows): void {
  const table = new PrefixTable();
  rows.forEach(([text], id) => {
    const { address, length } = parsePrefix(text)!;
    table.insert(address, length, id);
  });
  writeMmdb(path, {
    ...{ table: table.flatten(), records: rows.map(([, record]) => record), schema: CITY_SCHEMA },
    ...{ databaseType: 'ipatlas-City', description: { en: 'test' }, languages: ['en'] },
    ...{ ipVersion: 6, buildEpoch: 1 },
  });
}
