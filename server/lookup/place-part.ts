import type { PlaceRecord } from '../release/records.js';
import type { CountryNames } from './country-names.js';
import type { IpRecord } from './ip-record-schema.js';
import { nameIn, type Language } from './language.js';

/** Where an address is, as the record tells it. */
export type PlacePart = Pick<
  IpRecord,
  | 'country'
  | 'country_code'
  | 'region'
  | 'city'
  | 'latitude'
  | 'longitude'
  | 'timezone'
  | 'continent'
  | 'continent_code'
>;

export const UNKNOWN_PLACE: PlacePart = Object.freeze({
  ...{ country: '', country_code: '', region: '', city: '', latitude: null, longitude: null },
  ...{ timezone: '', continent: '', continent_code: '' },
});

/** What `geo.mmdb` says, in a language. */
export function placePart(record: PlaceRecord, language: Language, countries: CountryNames): PlacePart {
  const { country, continent, location } = record;
  const code = country?.iso_code;
  return {
    country: nameIn(language, country?.names) ?? (code === undefined ? '' : countries.nameOf(code, language)),
    country_code: code ?? '',
    region: nameIn(language, record.subdivisions?.[0]?.names) ?? '',
    city: nameIn(language, record.city?.names) ?? '',
    latitude: location?.latitude ?? null,
    longitude: location?.longitude ?? null,
    timezone: location?.time_zone ?? '',
    continent: nameIn(language, continent?.names) ?? '',
    continent_code: continent?.code ?? '',
  };
}
