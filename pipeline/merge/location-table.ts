import { FEED_IDS } from '../feeds/feed-id.js';
import { TupleMemo } from '../table/tuple-memo.js';
import type { Location } from './location.js';
import { TupleKey } from './tuple-key.js';

/** Distinct locations by id. Equal ones get the same id; ids count from 0. */
export class LocationTable {
  readonly #locations: Location[] = [];
  readonly #key = new TupleKey(WIDTH);
  readonly #memo = new TupleMemo(WIDTH);
  #candidate: Location = {};

  get locations(): readonly Location[] {
    return this.#locations;
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
      .addInteger(countryFeeds | (regionFeeds << FEED_IDS.length) | (cityFeeds << (2 * FEED_IDS.length)))
      .addInteger(countryConfidence | (regionConfidence << 7) | (cityConfidence << 14) | (anycast << 21));
    this.#candidate = location;
    return this.#memo.resolve(this.#key.integers, this.#add);
  }

  /** The evidence is of no use to records, and would be kept for each of a million locations. */
  readonly #add = (): number => {
    const { evidence } = this.#candidate;
    const kept = evidence === undefined ? this.#candidate : { ...this.#candidate, evidence: undefined };
    return this.#locations.push(kept) - 1;
  };
}

/** Twelve fields, the two coordinates with two integers each; an integer for the feeds; one for confidences and anycast. */
const WIDTH = 16;
