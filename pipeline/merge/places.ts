import type { Area, Gazetteer } from '../gazetteer/gazetteer.js';

export type { Area } from '../gazetteer/gazetteer.js';

/** Degrees: latitude -90..90, longitude -180..180. */
export interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}

/** The facts about places that the merge uses: cities by GeoNames id. Methods return undefined for unknown places. */
export interface Places {
  coordinatesOf(cityId: number): Coordinates | undefined;
  /** ISO 3166-2. */
  regionOfCity(cityId: number): string | undefined;
  /** IANA name. */
  timeZoneOf(cityId: number): string | undefined;
  /** Returns the area of a country (ISO 3166-1) or region (ISO 3166-2). */
  areaOf(code: string): Area | undefined;
}

/** Returns the facts of a gazetteer. */
export function placesOf(gazetteer: Gazetteer): Places {
  return {
    coordinatesOf: (cityId) => {
      const { latitude, longitude } = gazetteer.placeOf(cityId) ?? {};
      return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
    },
    regionOfCity: (cityId) => gazetteer.placeOf(cityId)?.region,
    timeZoneOf: (cityId) => gazetteer.placeOf(cityId)?.timeZone,
    areaOf: (code) => gazetteer.areaOf(code),
  };
}
