/** The place that a cloud states for one of its regions. */
export interface RegionPlace {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** ISO 3166-2. */
  readonly region?: string;
  readonly cityName?: string;
  /** Degrees, of a city that is too small for a gazetteer. */
  readonly latitude?: number;
  readonly longitude?: number;
}

/** Marks a name that is no place: networks announced from many places, and regions without a published place. */
export const NO_PLACE = 'no place';

/** Marks networks of which the cloud says that it announces the same addresses from many places. */
export const ANYCAST = 'anycast';

/** The places of a cloud's regions by the names in its published ranges. */
export type RegionPlaces = Readonly<Record<string, RegionPlace | typeof NO_PLACE | typeof ANYCAST>>;

/** Returns a place from an ISO 3166-1 or 3166-2 code, a city and its position in degrees. */
export function at(
  code: string,
  cityName?: string,
  position?: readonly [latitude: number, longitude: number],
): RegionPlace {
  const country = code.slice(0, 2);
  return {
    country,
    ...(code !== country && { region: code }),
    ...(cityName !== undefined && { cityName }),
    ...(position && { latitude: position[0], longitude: position[1] }),
  };
}
