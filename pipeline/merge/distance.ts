import type { Coordinates } from './places.js';

/** A place on the unit sphere: comparing many of them takes no trigonometry. */
export interface Point {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

export function pointOf({ latitude, longitude }: Coordinates): Point {
  const north = latitude * RADIANS;
  const east = longitude * RADIANS;
  return { x: Math.cos(north) * Math.cos(east), y: Math.cos(north) * Math.sin(east), z: Math.sin(north) };
}

/** Whether two places are nearer than a distance whose bound is `chordBound(km)`. */
export function isNear(a: Point, b: Point, bound: number): boolean {
  return (a.x - b.x) ** 2 + (a.y - b.y) ** 2 + (a.z - b.z) ** 2 <= bound;
}

/** The square of the straight line between two points of the unit sphere that lie `km` of great circle apart. */
export function chordBound(km: number): number {
  return (2 * Math.sin(km / EARTH_RADIUS_KM / 2)) ** 2;
}

const RADIANS = Math.PI / 180;

/** Mean radius (IUGG R1). */
const EARTH_RADIUS_KM = 6371.0088;
