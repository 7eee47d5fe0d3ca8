import { FEED_IDS } from '../feeds/feed-id.js';
import { TupleMemo } from '../table/tuple-memo.js';
import type { Location } from './location.js';
import type { Level } from './precedence.js';
import { TupleKey } from './tuple-key.js';
import { TupleReader } from './tuple-reader.js';

/** Distinct locations as integers: LOCATION_WIDTH for each, where a text is its position in `texts` plus 1, or 0. */
export interface LocationColumns {
  readonly tuples: Int32Array;
  readonly texts: readonly string[];
}

/**
 * Distinct locations by id, as integers: a million objects would need too much memory. Equal ones get the same id; ids
 * count from 0. Their evidence is not kept.
 */
export class LocationTable {
  readonly #key = new TupleKey(LOCATION_WIDTH);
  readonly #memo = new TupleMemo(LOCATION_WIDTH);
  readonly #tuple = new Int32Array(LOCATION_WIDTH);

  get length(): number {
    return this.#memo.size;
  }

  intern(location: Location): number {
    const { countryFeeds = 0, regionFeeds = 0, cityFeeds = 0 } = location;
    const { countryConfidence = 0, regionConfidence = 0, cityConfidence = 0 } = location;
    const anycast = location.isAnycast === true ? 1 : 0;
    this.#key
      .start()
      .add(location.country)
      .add(location.region)
      .add(location.regionName)
      .addInteger(location.cityId)
      .add(location.cityName)
      .addDouble(location.latitude)
      .addDouble(location.longitude)
      .addInteger(location.radiusKm)
      .add(location.timeZone)
      .add(location.registeredCountry)
      .add(location.decidedBy)
      .add(location.rule)
      .addInteger(countryFeeds | (regionFeeds << FEED_BITS) | (cityFeeds << (2 * FEED_BITS)))
      .addInteger(countryConfidence | (regionConfidence << 7) | (cityConfidence << 14) | (anycast << 21));
    return this.#memo.number(this.#key.integers);
  }

  /** Adds the locations of another table. Returns their ids in this table, by their ids in the other one. */
  internAll({ tuples, texts }: LocationColumns): Uint32Array {
    const numbers = Int32Array.from([0, ...texts.map((text) => this.#key.numberOf(text))]);
    const tuple = this.#tuple;
    const ids = new Uint32Array(tuples.length / LOCATION_WIDTH);
    for (let id = 0; id < ids.length; id++) {
      const from = id * LOCATION_WIDTH;
      for (let i = 0; i < LOCATION_WIDTH; i++) tuple[i] = tuples[from + i]!;
      for (const field of TEXT_FIELDS) tuple[field] = numbers[tuple[field]!]!;
      ids[id] = this.#memo.number(tuple);
    }
    return ids;
  }

  /** Returns the locations in columns; the views are valid until the next addition. */
  columns(): LocationColumns {
    return { tuples: this.#memo.tuples, texts: this.#key.values as string[] };
  }
}

/** Reads the locations of a table by their ids. */
export class LocationReader {
  readonly length: number;
  readonly columns: LocationColumns;
  readonly #reader: TupleReader;

  constructor(columns: LocationColumns) {
    const { tuples, texts } = columns;
    this.columns = columns;
    this.length = tuples.length / LOCATION_WIDTH;
    this.#reader = new TupleReader(tuples, { width: LOCATION_WIDTH, texts });
  }

  /** Returns the country of a location and the finest level that it names. */
  levelOf(id: number): { readonly country: string | undefined; readonly level: Level } {
    const reader = this.#reader;
    reader.start(id);
    const country = reader.text();
    const code = reader.text();
    const hasRegion = reader.text() !== undefined || code !== undefined;
    const hasCity = reader.unsigned() !== undefined || reader.text() !== undefined;
    return { country, level: hasCity ? 'city' : hasRegion ? 'region' : 'country' };
  }

  /** Returns the country and the deciding feed of a location. */
  originOf(id: number): Pick<Location, 'country' | 'decidedBy'> {
    return {
      country: this.#reader.textAt(id, LOCATION_FIELD.country),
      decidedBy: this.#reader.textAt(id, LOCATION_FIELD.decidedBy) as Location['decidedBy'],
    };
  }

  at(id: number): Location {
    const reader = this.#reader;
    reader.start(id);
    return {
      country: reader.text(),
      region: reader.text(),
      regionName: reader.text(),
      cityId: reader.unsigned(),
      cityName: reader.text(),
      latitude: reader.double(),
      longitude: reader.double(),
      radiusKm: reader.integer(),
      timeZone: reader.text(),
      registeredCountry: reader.text(),
      decidedBy: reader.text() as Location['decidedBy'],
      rule: reader.text() as Location['rule'],
      ...levelsOf(reader.integer()!, reader.integer()!),
    };
  }
}

function levelsOf(feeds: number, confidences: number): Location {
  return {
    isAnycast: ((confidences >>> 21) & 1) === 1 ? true : undefined,
    countryFeeds: positive(feeds & FEED_SET),
    regionFeeds: positive((feeds >>> FEED_BITS) & FEED_SET),
    cityFeeds: positive((feeds >>> (2 * FEED_BITS)) & FEED_SET),
    countryConfidence: positive(confidences & 0x7f),
    regionConfidence: positive((confidences >>> 7) & 0x7f),
    cityConfidence: positive((confidences >>> 14) & 0x7f),
  };
}

/** A decided level has at least one feed and a confidence above 0. */
function positive(value: number): number | undefined {
  return value === 0 ? undefined : value;
}

const FEED_BITS = FEED_IDS.length;
const FEED_SET = (1 << FEED_BITS) - 1;

/** Twelve fields, the two coordinates with two integers each; an integer for the feeds; one for confidences and anycast. */
export const LOCATION_WIDTH = 16;
/** The positions of the fields. */
export const LOCATION_FIELD = {
  country: 0,
  region: 1,
  regionName: 2,
  cityId: 3,
  cityName: 4,
  latitude: 5,
  longitude: 7,
  radiusKm: 9,
  timeZone: 10,
  registeredCountry: 11,
  decidedBy: 12,
  rule: 13,
  feeds: 14,
  confidences: 15,
} as const;
/** The bits of the integer with the confidences. */
export const CONFIDENCE_BITS = {
  country: 0x7f,
  region: 0x7f << 7,
  city: 0x7f << 14,
  anycast: 1 << 21,
} as const;
/** The positions of the fields with a text. */
const TEXT_FIELDS = [0, 1, 2, 4, 10, 11, 12, 13] as const;
