import { continentOf } from '../feeds/iso3166.js';
import type { Gazetteer, Place, PlaceNames } from '../gazetteer/gazetteer.js';
import { arrayOf, map, mapOf } from '../mmdb/schema.js';
import type { Location } from './location.js';
import { present } from './present.js';

const NAMES = mapOf('string');
const COUNTRY = map({ iso_code: 'string', geoname_id: 'uint32', names: NAMES });

/** A record of `geo.mmdb`: GeoIP2 City as its clients read it, names in the languages of CITY_LANGUAGES. */
export const CITY_SCHEMA = map({
  city: map({ geoname_id: 'uint32', names: NAMES }),
  continent: map({ code: 'string', geoname_id: 'uint32', names: NAMES }),
  country: COUNTRY,
  location: map({
    accuracy_radius: 'uint16',
    latitude: 'double',
    longitude: 'double',
    time_zone: 'string',
  }),
  registered_country: COUNTRY,
  subdivisions: arrayOf(map({ iso_code: 'string', geoname_id: 'uint32', names: NAMES })),
});

/** Raised with every change to what records hold: part of the key under which a dataset is found again. */
export const SCHEMA_VERSION = 1;

/** Languages of the names in the records. */
export const CITY_LANGUAGES = ['en', 'zh-CN'] as const;

interface Named {
  readonly geoname_id?: number;
  readonly names?: Readonly<Record<string, string>>;
}

interface Coded extends Named {
  readonly iso_code?: string;
}

/** A record as it is written. Parts that several records share are the same object. */
export interface CityRecord {
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
}

/**
 * Turns decisions into records, with ids and names from the gazetteer; where it knows no name, the feed's own
 * spelling stands as the English one.
 */
export class CityRecords {
  readonly #gazetteer: Gazetteer;
  readonly #continents = new Map<string, CityRecord['continent']>();
  readonly #countries = new Map<string, Coded>();
  readonly #regions = new Map<string, readonly Coded[]>();
  readonly #cities = new Map<number | string, Named>();

  constructor(gazetteer: Gazetteer) {
    this.#gazetteer = gazetteer;
  }

  recordOf(location: Location): CityRecord {
    const { country, registeredCountry } = location;
    const continent = country === undefined ? undefined : continentOf(country);
    return present({
      city: this.#cityOf(location),
      continent: continent === undefined ? undefined : this.#continentOf(continent),
      country: country === undefined ? undefined : this.#countryOf(country),
      location: coordinatesOf(location, this.#timeZoneOf(location)),
      registered_country: registeredCountry === undefined ? undefined : this.#countryOf(registeredCountry),
      subdivisions: this.#subdivisionsOf(location),
    });
  }

  #continentOf(code: string): CityRecord['continent'] {
    return held(this.#continents, code, () => {
      const continent = this.#gazetteer.continentOf(code);
      return present({ code, geoname_id: CONTINENT_IDS[code], names: namesOf(continent?.names) });
    });
  }

  #countryOf(code: string): Coded {
    return held(this.#countries, code, () => {
      const place = this.#gazetteer.countryOf(code);
      return present({ iso_code: code, geoname_id: place?.id, names: namesOf(place?.names) });
    });
  }

  #subdivisionsOf({ region: code, regionName }: Location): readonly Coded[] | undefined {
    if (code === undefined) {
      if (regionName === undefined) return undefined;
      return held(this.#regions, `text ${regionName}`, () => [{ names: { en: regionName } }]);
    }
    return held(this.#regions, code, () => {
      const region = this.#gazetteer.regionOf(code);
      const iso_code = code.slice(code.indexOf('-') + 1);
      return [present({ iso_code, geoname_id: region?.id, names: namesOf(region?.names) })];
    });
  }

  #cityOf({ cityId, cityName }: Location): Named | undefined {
    if (cityId === undefined) {
      if (cityName === undefined) return undefined;
      return held(this.#cities, cityName, () => ({ names: { en: cityName } }));
    }
    return held(this.#cities, cityId, () => {
      const names = namesOf(this.#gazetteer.placeOf(cityId)?.names, cityName);
      return present({ geoname_id: cityId, names });
    });
  }

  /** The zone of a city is known even where the feed that named the city gives none. */
  #timeZoneOf({ timeZone, cityId }: Location): string | undefined {
    if (timeZone !== undefined || cityId === undefined) return timeZone;
    const place: Place | undefined = this.#gazetteer.placeOf(cityId);
    return place?.timeZone;
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

function coordinatesOf(location: Location, time_zone: string | undefined): CityRecord['location'] {
  const { radiusKm: accuracy_radius, latitude, longitude } = location;
  const coordinates = present({ accuracy_radius, latitude, longitude, time_zone });
  return Object.keys(coordinates).length === 0 ? undefined : coordinates;
}

/** Names as they are written; a language without a name stays absent, readers fall back to the other one. */
function namesOf(names: PlaceNames | undefined, spelling?: string): Record<string, string> | undefined {
  const en = names?.en ?? spelling;
  const written = present({ en, 'zh-CN': names?.['zh-CN'] });
  return Object.keys(written).length === 0 ? undefined : written;
}

function held<K, V>(cache: Map<K, V>, key: K, make: () => V): V {
  let value = cache.get(key);
  if (value === undefined) cache.set(key, (value = make()));
  return value;
}
