import { nameIn, type CountryNames, type Language } from './language.js';
import type { PlaceRecord } from './records.js';

/** The location fields of an IP record. Unknown texts are empty. */
export interface PlacePart {
  readonly country: string;
  readonly country_code: string;
  readonly region: string;
  readonly city: string;
  /** Degrees. */
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly timezone: string;
  readonly continent: string;
  readonly continent_code: string;
  /** Absent unless true. */
  readonly is_anycast?: boolean;
}

/** The fields of an address without a record. */
export const UNKNOWN_PLACE: PlacePart = Object.freeze({
  country: '',
  country_code: '',
  region: '',
  city: '',
  latitude: null,
  longitude: null,
  timezone: '',
  continent: '',
  continent_code: '',
});

/** Returns the location fields of a record of `geo.mmdb`, in a language; without a record those of an unknown place. */
export function placePart(
  record: PlaceRecord | undefined,
  language: Language,
  countries: CountryNames,
): PlacePart {
  if (record === undefined) return UNKNOWN_PLACE;
  const { country, continent, location, traits } = record;
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
    ...(traits?.is_anycast === true && { is_anycast: true }),
  };
}
