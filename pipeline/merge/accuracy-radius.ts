import { radiusClassOf } from './confidence.js';
import { DEFAULT_RADIUS_KM, type Level } from './precedence.js';
import type { Position } from './resolved-claim.js';

/**
 * The radius in km within which the truth lies in two of three cases, by the decided level and the class of the radius
 * that the claim gives (RADIUS_CLASSES; the last is for wider ones). Fitted by `make calibrate`, rounded up to a usual
 * radius. Radii below 10 km cannot be measured, because operators state cities, whose centres are the truth. A class
 * with fewer than 5 operators or 100 distances keeps its bound.
 */
export const RADIUS_KM: Readonly<Record<Level, readonly number[]>> = {
  country: [5, 10, 20, 50, 100, 200, 500, 1000],
  region: [5, 10, 10, 50, 100, 200, 500, 1000],
  city: [50, 100, 10, 200, 200, 250, 300, 1000],
};

/**
 * Returns the radius of coordinates that a claim in a vote gives for the decided level. Coordinates that an operator
 * states, and those without a radius, have DEFAULT_RADIUS_KM.
 */
export function accuracyRadiusOf(level: Level, { radiusKm }: Position, isStated: boolean): number {
  if (isStated || radiusKm === undefined) return radiusKm ?? DEFAULT_RADIUS_KM[level];
  return RADIUS_KM[level][radiusClassOf(radiusKm)]!;
}
