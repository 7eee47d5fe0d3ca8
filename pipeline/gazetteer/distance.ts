/** A point in degrees. */
export interface Point {
  readonly latitude?: number | undefined;
  readonly longitude?: number | undefined;
}

/** Returns the great-circle distance in kilometres; undefined if either point lacks coordinates. */
export function distanceKm(one: Point, other: Point): number | undefined {
  const { latitude: fromLatitude, longitude: fromLongitude } = one;
  const { latitude: toLatitude, longitude: toLongitude } = other;
  if (fromLatitude === undefined || fromLongitude === undefined) return undefined;
  if (toLatitude === undefined || toLongitude === undefined) return undefined;
  const halfNorth = ((toLatitude - fromLatitude) * RADIANS) / 2;
  const halfEast = ((toLongitude - fromLongitude) * RADIANS) / 2;
  const narrowing = Math.cos(fromLatitude * RADIANS) * Math.cos(toLatitude * RADIANS);
  const chord = Math.sin(halfNorth) ** 2 + narrowing * Math.sin(halfEast) ** 2;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(chord)));
}

const RADIANS = Math.PI / 180;
const EARTH_RADIUS_KM = 6371;
