/** A point in degrees, -90..90 and -180..180. */
export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** Something with an id and, where they are known, coordinates. */
export interface Located {
  readonly id: number;
  readonly latitude?: number | undefined;
  readonly longitude?: number | undefined;
}

/** The coordinates of a place; absent when there is no place, or it has none. */
export function locatedPoint(place: Located | undefined): Point | undefined {
  if (place?.latitude === undefined || place.longitude === undefined) return undefined;
  return { latitude: place.latitude, longitude: place.longitude };
}
