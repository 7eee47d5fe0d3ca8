import { distanceKm } from './distance.js';

/** A point in degrees with the inhabitants near it. */
export interface PopulatedPoint {
  readonly latitude: number;
  readonly longitude: number;
  /** Absent if unknown; counts as one inhabitant. */
  readonly population?: number | undefined;
}

/** The center of some populated points, and the radius around it. */
export interface PopulatedCenter {
  readonly latitude: number;
  readonly longitude: number;
  /** Whole kilometres within which two thirds of the inhabitants live, at least LEAST_RADIUS_KM. */
  readonly radiusKm: number;
}

/**
 * Returns the point that is nearest to the geometric median of the inhabitants: a city, never a field or the sea.
 * Returns undefined without points.
 */
export function populatedCenter(points: readonly PopulatedPoint[]): PopulatedCenter | undefined {
  const [first] = points;
  if (first === undefined) return undefined;
  const median = geometricMedian(points);
  let nearest = first;
  let leastKm = Infinity;
  for (const point of points) {
    const km = distanceKm(median, point)!;
    if (km >= leastKm) continue;
    leastKm = km;
    nearest = point;
  }
  const { latitude, longitude } = nearest;
  return {
    latitude,
    longitude,
    radiusKm: Math.max(LEAST_RADIUS_KM, Math.ceil(radiusAround(nearest, points))),
  };
}

/** The extent of a town: an area with a single known town is not smaller. */
const LEAST_RADIUS_KM = 10;

/** The share of the inhabitants within the radius; GeoIP2 defines `accuracy_radius` by the same share. */
const SHARE_WITHIN = 2 / 3;

/** Returns the distance within which SHARE_WITHIN of the inhabitants live. */
function radiusAround(center: PopulatedPoint, points: readonly PopulatedPoint[]): number {
  const byDistance = points
    .map((point) => ({ km: distanceKm(center, point)!, weight: weightOf(point) }))
    .sort((a, b) => a.km - b.km);
  const total = byDistance.reduce((sum, { weight }) => sum + weight, 0);
  let within = 0;
  for (const { km, weight } of byDistance) {
    within += weight;
    if (within >= total * SHARE_WITHIN) return km;
  }
  return byDistance.at(-1)!.km;
}

interface Degrees {
  readonly latitude: number;
  readonly longitude: number;
}

/**
 * Returns the point with the least sum of distances to the inhabitants, by Weiszfeld's algorithm with chords of the unit
 * sphere, which need no trigonometry.
 */
function geometricMedian(points: readonly PopulatedPoint[]): Degrees {
  const count = points.length;
  const xs = new Float64Array(count);
  const ys = new Float64Array(count);
  const zs = new Float64Array(count);
  for (const [i, { latitude, longitude }] of points.entries()) {
    xs[i] = Math.cos(latitude * RADIANS) * Math.cos(longitude * RADIANS);
    ys[i] = Math.cos(latitude * RADIANS) * Math.sin(longitude * RADIANS);
    zs[i] = Math.sin(latitude * RADIANS);
  }
  const weights = Float64Array.from(points, weightOf);
  let median = { x: 0, y: 0, z: 0 };
  for (let round = 0; round <= ROUNDS; round++) {
    let [x, y, z] = [0, 0, 0];
    for (let i = 0; i < count; i++) {
      const [dx, dy, dz] = [xs[i]! - median.x, ys[i]! - median.y, zs[i]! - median.z];
      // The first round is the mean.
      const chord = round === 0 ? 1 : Math.sqrt(dx * dx + dy * dy + dz * dz);
      const pull = weights[i]! / Math.max(chord, LEAST_CHORD);
      x += pull * xs[i]!;
      y += pull * ys[i]!;
      z += pull * zs[i]!;
    }
    const length = Math.hypot(x, y, z);
    if (length === 0) break;
    median = { x: x / length, y: y / length, z: z / length };
  }
  const { x, y, z } = median;
  return { latitude: Math.atan2(z, Math.hypot(x, y)) / RADIANS, longitude: Math.atan2(y, x) / RADIANS };
}

const RADIANS = Math.PI / 180;

/** The sum of distances is within 0.1 % of its minimum after 60 rounds. */
const ROUNDS = 60;

/** About one kilometre. A city at the median itself would otherwise have an infinite pull. */
const LEAST_CHORD = 1 / 6371;

function weightOf({ population = 1 }: PopulatedPoint): number {
  return population;
}
