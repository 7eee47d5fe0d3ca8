import { z } from 'zod';
import { foldName } from '../gazetteer/place-name.js';
import type { Gazetteer } from '../gazetteer/gazetteer.js';
import type { Location as MergedLocation } from '../merge/location.js';
import type { ReadMmdb } from '../mmdb/read.js';
import type { Address } from '../net/address.js';
import { locatedPoint, type Point } from './point.js';

/** A dataset's answer about one address. Fields without an answer are undefined. */
export interface Answer {
  /** ISO 3166-1 alpha-2. */
  readonly country: string | undefined;
  /** ISO 3166-2, first level. */
  readonly region: string | undefined;
  /** GeoNames id. */
  readonly cityId: number | undefined;
  /** The names of the city in all languages, folded (see `foldName`). */
  readonly cityNames: readonly string[];
  /** The coordinates of the answer, else those of its city. */
  readonly point: Point | undefined;
}

/** A dataset to evaluate: a feed's verdicts, or a merged dataset. */
export interface Subject {
  readonly name: string;
  /** Returns the answer about an address; undefined if no network contains it. */
  readonly answerAt: (address: Address) => Answer | undefined;
}

/** Returns a verdict table (`merge/verdict-record.ts`) as a subject. `answerAt` throws ZodError for other records. */
export function verdictSubject(name: string, file: ReadMmdb, gazetteer: Gazetteer): Subject {
  return subject(name, file, (record) => {
    const {
      country,
      region,
      city_id: cityId,
      city,
      city_zh,
      latitude,
      longitude,
    } = verdictSchema.parse(record);
    return {
      country,
      region: region === undefined ? undefined : gazetteer.topRegionOf(region),
      cityId,
      cityNames: foldedNames([city, city_zh]),
      point: pointOf({ latitude, longitude, cityId }, gazetteer),
    };
  });
}

/** Returns a GeoIP2 City table (`merge/city-record.ts`) as a subject. `answerAt` throws ZodError for other records. */
export function citySubject(name: string, file: ReadMmdb, gazetteer: Gazetteer): Subject {
  return subject(name, file, (record) => {
    const { country, subdivisions, city, location } = citySchema.parse(record);
    const [first] = subdivisions ?? [];
    const code = country?.iso_code;
    const region = first?.iso_code;
    return {
      country: code,
      region:
        code === undefined || region === undefined ? undefined : gazetteer.topRegionOf(`${code}-${region}`),
      cityId: city?.geoname_id,
      cityNames: foldedNames(Object.values(city?.names ?? {})),
      point: pointOf({ ...location, cityId: city?.geoname_id }, gazetteer),
    };
  });
}

const verdictSchema = z.looseObject({
  country: z.string().optional(),
  region: z.string().optional(),
  city_id: z.int().optional(),
  city: z.string().optional(),
  city_zh: z.string().optional(),
  latitude: z.number().optional(),
  longitude: z.number().optional(),
});

const citySchema = z.looseObject({
  country: z.looseObject({ iso_code: z.string().optional() }).optional(),
  subdivisions: z.array(z.looseObject({ iso_code: z.string().optional() })).optional(),
  city: z
    .looseObject({ geoname_id: z.int().optional(), names: z.record(z.string(), z.string()).optional() })
    .optional(),
  location: z.looseObject({ latitude: z.number().optional(), longitude: z.number().optional() }).optional(),
});

/** Returns a decision of the merge as an answer. */
export function answerOf(location: MergedLocation, gazetteer: Gazetteer): Answer {
  const { country, region, cityId, cityName, latitude, longitude } = location;
  const names = cityId === undefined ? [cityName] : Object.values(gazetteer.placeOf(cityId)?.names ?? {});
  return {
    country,
    region,
    cityId,
    cityNames: foldedNames(names),
    point: pointOf({ latitude, longitude, cityId }, gazetteer),
  };
}

/** Reads each record on first use, because an evaluation uses only few records of a dataset. */
function subject(name: string, { table, records }: ReadMmdb, read: (record: unknown) => Answer): Subject {
  const answers = new Map<number, Answer>();
  return {
    name,
    answerAt: (address) => {
      const match = table.lookup(address);
      if (!match) return undefined;
      let answer = answers.get(match.recordId);
      if (!answer) answers.set(match.recordId, (answer = read(records[match.recordId])));
      return answer;
    },
  };
}

function foldedNames(names: readonly (string | undefined)[]): string[] {
  return [...new Set(names.flatMap((name) => (name === undefined ? [] : [foldName(name)])))];
}

interface Position {
  readonly latitude?: number | undefined;
  readonly longitude?: number | undefined;
  readonly cityId: number | undefined;
}

function pointOf({ latitude, longitude, cityId }: Position, gazetteer: Gazetteer): Point | undefined {
  if (latitude !== undefined && longitude !== undefined) return { latitude, longitude };
  return cityId === undefined ? undefined : locatedPoint(gazetteer.placeOf(cityId));
}
