import type { Coordinates } from './places.js';

/** A point on the unit sphere. Comparing two such points needs no trigonometry. */
export interface SpherePoint {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** Returns the point of the unit sphere at the given coordinates. */
export function spherePointOf({ latitude, longitude }: Coordinates): SpherePoint {
  const north = latitude * RADIANS;
  const east = longitude * RADIANS;
  return { x: Math.cos(north) * Math.cos(east), y: Math.cos(north) * Math.sin(east), z: Math.sin(north) };
}

/** Whether two points are at most `km` apart, for the bound `chordBound(km)`. */
export function isNear(a: SpherePoint, b: SpherePoint, bound: number): boolean {
  return (a.x - b.x) ** 2 + (a.y - b.y) ** 2 + (a.z - b.z) ** 2 <= bound;
}

/** Returns the squared chord between two points of the unit sphere that are `km` of great circle apart. */
export function chordBound(km: number): number {
  return (2 * Math.sin(km / EARTH_RADIUS_KM / 2)) ** 2;
}

const RADIANS = Math.PI / 180;

/** Mean radius (IUGG R1). */
const EARTH_RADIUS_KM = 6371.0088;
