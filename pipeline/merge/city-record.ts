import { FEED_IDS, type FeedId } from '../feeds/feed-id.js';
import { continentOf } from '../input/names/iso3166.js';
import type { Gazetteer, PlaceNames } from '../gazetteer/gazetteer.js';
import { arrayOf, map, mapOf } from '../mmdb/schema.js';
import type { Location } from './location.js';
import { present } from '../mmdb/present.js';
import { namesAsSpelled } from '../gazetteer/place-name.js';
import type { Rule } from './precedence.js';
import { bitOfFeed } from './resolved-claim.js';

const NAMES = mapOf('string');
const FEEDS = arrayOf('string');
const COUNTRY = map({ confidence: 'uint16', iso_code: 'string', geoname_id: 'uint32', names: NAMES });

/**
 * The record schema of `geo.mmdb`: readable by GeoIP2 City clients, with names in CITY_LANGUAGES.
 *
 * `confidence` (in `country`, `city` and each entry of `subdivisions`) is the probability in percent that the answer is
 * right, 5 to 95 in fives, or 99 (`confidence.ts`). `agreement` lists the feeds that support each level and says how the
 * country was decided; the downloadable edition does not contain it. `traits.is_anycast` is true for networks that are
 * announced from many places, and absent otherwise.
 */
export const CITY_SCHEMA = map({
  agreement: map({ rule: 'string', country: FEEDS, region: FEEDS, city: FEEDS }),
  city: map({ confidence: 'uint16', geoname_id: 'uint32', names: NAMES }),
  continent: map({ code: 'string', geoname_id: 'uint32', names: NAMES }),
  country: COUNTRY,
  location: map({
    accuracy_radius: 'uint16',
    latitude: 'double',
    longitude: 'double',
    time_zone: 'string',
  }),
  registered_country: COUNTRY,
  subdivisions: arrayOf(COUNTRY),
  traits: map({ is_anycast: 'boolean' }),
});

/** Part of the cache key of compiled datasets; raise it with every change to the records. */
export const SCHEMA_VERSION = 5;

/** The languages of the names in the records. */
export const CITY_LANGUAGES = ['en', 'zh-CN'] as const;

interface Named {
  readonly confidence?: number;
  readonly geoname_id?: number;
  readonly names?: Readonly<Record<string, string>>;
}

interface Coded extends Named {
  readonly iso_code?: string;
}

/** The feeds that agree with each level, in the order of FEED_IDS, and how the country was decided. */
export interface Agreement {
  readonly rule?: Rule;
  readonly country?: readonly FeedId[];
  readonly region?: readonly FeedId[];
  readonly city?: readonly FeedId[];
}

/** A record as written. Equal parts of different records are the same object. */
export interface CityRecord {
  readonly agreement?: Agreement;
  readonly city?: Named;
  readonly continent?: Named & { readonly code: string };
  readonly country?: Coded;
  readonly location?: {
    readonly accuracy_radius?: number;
    readonly latitude?: number;
    readonly longitude?: number;
    readonly time_zone?: string;
  };
  readonly registered_country?: Coded;
  readonly subdivisions?: readonly Coded[];
  readonly traits?: { readonly is_anycast: true };
}

const ANYCAST = { is_anycast: true } as const;

/** Optional content of records besides the location. */
export interface RecordOptions {
  /** Whether records list the feeds that agree. Default: false. */
  readonly agreement?: boolean;
}

/**
 * Turns locations into records with ids and names from the gazetteer. A place without a name there keeps the feed's
 * spelling.
 */
export class CityRecords {
  readonly #gazetteer: Gazetteer;
  readonly #withAgreement: boolean;
  readonly #agreements = new Map<string, Agreement>();
  readonly #feeds = new Map<number, readonly FeedId[]>();
  readonly #continents = new Map<string, CityRecord['continent']>();
  readonly #countries = new Map<string, Coded>();
  readonly #regions = new Map<string, readonly Coded[]>();
  readonly #cities = new Map<string, Named>();

  constructor(gazetteer: Gazetteer, { agreement = false }: RecordOptions = {}) {
    this.#gazetteer = gazetteer;
    this.#withAgreement = agreement;
  }

  recordOf(location: Location): CityRecord {
    const { country, countryConfidence, registeredCountry } = location;
    const continent = country === undefined ? undefined : continentOf(country);
    return present({
      agreement: this.#withAgreement ? this.#agreementOf(location) : undefined,
      city: this.#cityOf(location),
      continent: continent === undefined ? undefined : this.#continentOf(continent),
      country: country === undefined ? undefined : this.#countryOf(country, countryConfidence),
      location: coordinatesOf(location),
      registered_country: registeredCountry === undefined ? undefined : this.#countryOf(registeredCountry),
      subdivisions: this.#subdivisionsOf(location),
      traits: location.isAnycast && ANYCAST,
    });
  }

  #continentOf(code: string): CityRecord['continent'] {
    return held(this.#continents, code, () => {
      const continent = this.#gazetteer.continentOf(code);
      return present({ code, geoname_id: CONTINENT_IDS[code], names: namesOf(continent?.names) });
    });
  }

  #countryOf(code: string, confidence?: number): Coded {
    return held(this.#countries, `${code} ${confidence ?? ''}`, () => {
      const place = this.#gazetteer.countryOf(code);
      return present({ confidence, iso_code: code, geoname_id: place?.id, names: namesOf(place?.names) });
    });
  }

  #subdivisionsOf({
    region: code,
    regionName,
    regionConfidence: confidence,
  }: Location): readonly Coded[] | undefined {
    if (code === undefined) {
      if (regionName === undefined) return undefined;
      const key = `${confidence ?? ''} text ${regionName}`;
      return held(this.#regions, key, () => [present({ confidence, names: { en: regionName } })]);
    }
    return held(this.#regions, `${confidence ?? ''} ${code}`, () => {
      const region = this.#gazetteer.regionOf(code);
      const iso_code = code.slice(code.indexOf('-') + 1);
      return [present({ confidence, iso_code, geoname_id: region?.id, names: namesOf(region?.names) })];
    });
  }

  #cityOf({ cityId, cityName, cityConfidence: confidence }: Location): Named | undefined {
    if (cityId === undefined) {
      if (cityName === undefined) return undefined;
      const key = `${confidence ?? ''} text ${cityName}`;
      return held(this.#cities, key, () => present({ confidence, names: { en: cityName } }));
    }
    return held(this.#cities, `${confidence ?? ''} ${cityId}`, () => {
      const names = namesOf(this.#gazetteer.placeOf(cityId)?.names, cityName);
      return present({ confidence, geoname_id: cityId, names });
    });
  }

  #agreementOf({ rule, countryFeeds, regionFeeds, cityFeeds }: Location): Agreement | undefined {
    if (countryFeeds === undefined) return undefined;
    const key = `${rule ?? ''} ${countryFeeds} ${regionFeeds ?? ''} ${cityFeeds ?? ''}`;
    return held(this.#agreements, key, () =>
      present({
        rule,
        country: this.#feedsIn(countryFeeds),
        region: regionFeeds === undefined ? undefined : this.#feedsIn(regionFeeds),
        city: cityFeeds === undefined ? undefined : this.#feedsIn(cityFeeds),
      }),
    );
  }

  #feedsIn(set: number): readonly FeedId[] {
    return held(this.#feeds, set, () => FEED_IDS.filter((feed) => (set & bitOfFeed(feed)) !== 0));
  }
}

/** GeoNames ids of the continents (https://www.geonames.org/export/codes.html). */
const CONTINENT_IDS: Readonly<Record<string, number>> = {
  AF: 6255146,
  AN: 6255152,
  AS: 6255147,
  EU: 6255148,
  NA: 6255149,
  OC: 6255151,
  SA: 6255150,
};

function coordinatesOf(location: Location): CityRecord['location'] {
  const { radiusKm: accuracy_radius, latitude, longitude, timeZone: time_zone } = location;
  const coordinates = present({ accuracy_radius, latitude, longitude, time_zone });
  return Object.keys(coordinates).length === 0 ? undefined : coordinates;
}

/** Returns the names to write; a language without a name is absent, and readers fall back to the other one. */
function namesOf(names: PlaceNames | undefined, spelling?: string): Record<string, string> | undefined {
  return writtenNames({
    ...(spelling === undefined ? {} : namesAsSpelled(spelling)),
    ...present({ ...names }),
  });
}

function writtenNames({ en, 'zh-CN': zh }: PlaceNames): Record<string, string> | undefined {
  const written = present({ en, 'zh-CN': zh });
  return Object.keys(written).length === 0 ? undefined : written;
}

function held<K, V>(cache: Map<K, V>, key: K, make: () => V): V {
  let value = cache.get(key);
  if (value === undefined) cache.set(key, (value = make()));
  return value;
}
