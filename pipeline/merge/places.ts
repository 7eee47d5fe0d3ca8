import type { Gazetteer } from '../gazetteer/gazetteer.js';

/** Degrees: latitude -90..90, longitude -180..180. */
export interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}

/** What the merge asks about cities, by GeoNames id. Absent where nothing is known. */
export interface Places {
  coordinatesOf(cityId: number): Coordinates | undefined;
  /** ISO 3166-2. */
  regionOfCity(cityId: number): string | undefined;
  /** IANA name. */
  timeZoneOf(cityId: number): string | undefined;
}

/** Answers out of a gazetteer. */
export function placesOf(gazetteer: Gazetteer): Places {
  return {
    coordinatesOf: (cityId) => {
      const { latitude, longitude } = gazetteer.placeOf(cityId) ?? {};
      return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
    },
    regionOfCity: (cityId) => gazetteer.placeOf(cityId)?.region,
    timeZoneOf: (cityId) => gazetteer.placeOf(cityId)?.timeZone,
  };
}
