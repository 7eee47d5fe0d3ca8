import { FEED_IDS } from '../feeds/feed-id.js';
import { TupleMemo } from '../table/tuple-memo.js';
import type { Location } from './location.js';

/** Locations by id: equal ones get the same id, ids count from 0. Keys are integers, so that a million stay small. */
export class LocationTable {
  readonly #locations: Location[] = [];
  /** Every value of every field by number; 0 is absent. */
  readonly #values = new Map<string | number | undefined, number>([[undefined, 0]]);
  readonly #memo = new TupleMemo(WIDTH);
  readonly #key = new Int32Array(WIDTH);
  #candidate: Location = {};

  get locations(): readonly Location[] {
    return this.#locations;
  }

  intern(location: Location): number {
    const key = this.#key;
    this.#candidate = location;
    for (let i = 0; i < VALUES.length; i++) key[i] = this.#numberOf(location[VALUES[i]!]);
    const { countryFeeds = 0, regionFeeds = 0, cityFeeds = 0 } = location;
    key[VALUES.length] =
      countryFeeds | (regionFeeds << FEED_IDS.length) | (cityFeeds << (2 * FEED_IDS.length));
    const { countryConfidence = 0, regionConfidence = 0, cityConfidence = 0 } = location;
    key[VALUES.length + 1] = countryConfidence | (regionConfidence << 7) | (cityConfidence << 14);
    return this.#memo.resolve(key, this.#add);
  }

  readonly #add = (): number => this.#locations.push(this.#candidate) - 1;

  #numberOf(value: string | number | undefined): number {
    let number = this.#values.get(value);
    if (number === undefined) this.#values.set(value, (number = this.#values.size));
    return number;
  }
}

const VALUES = [
  'country',
  'region',
  'regionName',
  'cityId',
  'cityName',
  'latitude',
  'longitude',
  'radiusKm',
  'timeZone',
  'registeredCountry',
  'decidedBy',
  'rule',
] as const satisfies readonly (keyof Location)[];

/** The values, the sets of feeds and the confidences. */
const WIDTH = VALUES.length + 2;
