/** A point in degrees, -90..90 and -180..180. */
export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** A place with an id and optional coordinates. */
export interface Located {
  readonly id: number;
  readonly latitude?: number | undefined;
  readonly longitude?: number | undefined;
}

/** Returns the coordinates of a place; undefined without a place or coordinates. */
export function locatedPoint(place: Located | undefined): Point | undefined {
  if (place?.latitude === undefined || place.longitude === undefined) return undefined;
  return { latitude: place.latitude, longitude: place.longitude };
}
