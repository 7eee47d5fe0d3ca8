import { join } from 'node:path';
import type { Test } from 'tap';
import { Gazetteer, type Place } from '../../gazetteer/gazetteer.js';
import { CITY_SCHEMA } from '../../merge/city-record.js';
import { VERDICT_SCHEMA } from '../../merge/verdict-record.js';
import { readMmdbFile, type ReadMmdb } from '../../mmdb/read.js';
import { writeMmdb } from '../../mmdb/write.js';
import type { Schema } from '../../mmdb/schema.js';
import { parsePrefix } from '../../net/prefix.js';
import { PrefixTable } from '../../table/prefix-table.js';
import type { TruthRow } from '../truth.js';

/** The GeoNames ids of the cities in `WORLD`. Villeurbanne is 3 km from Lyon, Surquillo 7 km from Lima. */
export const ID = {
  paris: 2988507,
  lyon: 2996944,
  villeurbanne: 2968254,
  london: 2643743,
  milan: 3173435,
  tokyo: 1850147,
  singapore: 1880252,
  lima: 3936456,
  surquillo: 3928245,
  springfieldIllinois: 4250542,
  chicago: 4887398,
  columbus: 4509177,
  cedarKnolls: 5096316,
} as const;

/** A small gazetteer. Cedar Knolls has no coordinates, Slough (GB-SLG) no city, and the cities of SG no region. */
export const WORLD = new Gazetteer({
  continents: [],
  regions: [
    'FR-IDF',
    'FR-ARA',
    'GB-ENG',
    'GB-SLG',
    'IT-25',
    'JP-13',
    'PE-LMA',
    'PE-LIM',
    'US-IL',
    'US-NJ',
    'US-OH',
  ].map((code) => ({ code, country: code.slice(0, 2), names: {} })),
  places: [
    city(ID.paris, 'FR-IDF', 'Paris', [48.8534, 2.3488]),
    city(ID.lyon, 'FR-ARA', 'Lyon', [45.7485, 4.8467]),
    city(ID.villeurbanne, 'FR-ARA', 'Villeurbanne', [45.766, 4.8795]),
    city(ID.london, 'GB-ENG', 'London', [51.5085, -0.1257]),
    city(ID.milan, 'IT-25', 'Milan', [45.4643, 9.1895]),
    city(ID.tokyo, 'JP-13', 'Tokyo', [35.6895, 139.6917]),
    { ...city(ID.singapore, 'SG-01', 'Singapore', [1.2897, 103.8501]), region: undefined },
    city(ID.lima, 'PE-LMA', 'Lima', [-12.0432, -77.0282]),
    city(ID.surquillo, 'PE-LIM', 'Surquillo', [-12.1097, -77.0149]),
    city(ID.springfieldIllinois, 'US-IL', 'Springfield', [39.8017, -89.6437]),
    city(ID.chicago, 'US-IL', 'Chicago', [41.85, -87.65]),
    {
      id: ID.cedarKnolls,
      kind: 'city',
      continent: 'NA',
      country: 'US',
      region: 'US-NJ',
      names: { en: 'Cedar Knolls' },
    },
    city(ID.columbus, 'US-OH', 'Columbus', [39.9612, -82.9988]),
  ],
});

function city(id: number, region: string, en: string, [latitude, longitude]: [number, number]): Place {
  const country = region.slice(0, 2);
  return { id, kind: 'city', continent: 'EU', country, region, names: { en }, latitude, longitude };
}

/** Returns a row of a truth file: `prefix,country,region,city`, without empty fields. */
export function truthRow(text: string, line = 1): TruthRow {
  const [prefix, country, region, cityName] = text.split(',');
  return {
    prefix: parsePrefix(prefix!)!,
    line,
    claim: {
      country: country!,
      ...(region !== undefined && region !== '' && { region }),
      ...(cityName !== undefined && cityName !== '' && { cityName }),
    },
  };
}

/** Writes verdicts by prefix as a feed's table, and reads it back. */
export function verdictFile(t: Test, records: Readonly<Record<string, object>>): ReadMmdb {
  return file(t, 'ipatlas-Verdicts', { schema: VERDICT_SCHEMA, records });
}

/** Writes records by prefix as a GeoIP2 City table, and reads it back. */
export function cityFile(t: Test, records: Readonly<Record<string, object>>): ReadMmdb {
  return file(t, 'ipatlas-City', { schema: CITY_SCHEMA, records });
}

interface Written {
  readonly schema: Schema;
  readonly records: Readonly<Record<string, object>>;
}

function file(t: Test, databaseType: string, { schema, records }: Written): ReadMmdb {
  const table = new PrefixTable();
  Object.keys(records).forEach((text, id) => {
    const { address, length } = parsePrefix(text)!;
    table.insert(address, length, id);
  });
  const path = join(t.testdir(), 'table.mmdb');
  const about = {
    databaseType,
    description: { en: 'a test' },
    languages: [],
    ipVersion: 6,
    buildEpoch: 0,
  } as const;
  writeMmdb(path, { ...about, schema, table: table.flatten(), records: Object.values(records) });
  return readMmdbFile(path);
}
