import { RADIUS_CLASSES } from '../../merge/confidence.js';
import type { Level } from '../../merge/precedence.js';
import type { Observation } from './observations.js';
import { operatorWeights } from '../operator-weights.js';

/** The radius that covers two of three distances. */
export interface FittedRadius {
  readonly level: Level;
  /** The upper bound of the class of the claimed radius in km; undefined for wider and unknown ones. */
  readonly claimedKm: number | undefined;
  readonly distances: number;
  readonly operators: number;
  /** The share of distances within the claimed radius, 0..1; undefined for the last class. */
  readonly covered: number | undefined;
  readonly radiusKm: number;
}

/** MaxMind: the radius within which the address lies in two of three cases. */
const COVERED = 2 / 3;
/** Sums in a different order may differ by this much. */
const ROUNDING = 1e-9;

/** Returns, for each level and class of claimed radii, the distance within which the truth is in two of three cases. */
export function fitRadius(observations: readonly Observation[]): FittedRadius[] {
  const groups = new Map<string, Observation[]>();
  for (const observation of observations) {
    const { distance } = observation;
    if (!distance) continue;
    const key = `${distance.level} ${distance.radiusClass}`;
    const group = groups.get(key);
    if (group) group.push(observation);
    else groups.set(key, [observation]);
  }
  return [...groups.values()].map(radiusOf).sort(byLevelAndClass);
}

function radiusOf(group: readonly Observation[]): FittedRadius {
  const { level, radiusClass } = group[0]!.distance!;
  const counts = new Map<string, number>();
  for (const { operator } of group) counts.set(operator, (counts.get(operator) ?? 0) + 1);
  const weigh = operatorWeights([counts]);
  const distances = group
    .map(({ operator, distance }) => ({ km: distance!.km, weight: weigh(new Map([[operator, 1]])) }))
    .sort((a, b) => a.km - b.km);
  const total = distances.reduce((sum, { weight }) => sum + weight, 0);
  let below = 0;
  const at = distances.find(({ weight }) => (below += weight) > COVERED * total - ROUNDING)!;
  const claimedKm = RADIUS_CLASSES[radiusClass];
  const within = distances.filter(({ km }) => km <= (claimedKm ?? 0));
  return {
    level,
    claimedKm,
    distances: group.length,
    operators: counts.size,
    covered:
      claimedKm === undefined ? undefined : within.reduce((sum, { weight }) => sum + weight, 0) / total,
    radiusKm: at.km,
  };
}

const ORDER: readonly Level[] = ['country', 'region', 'city'];

function byLevelAndClass(a: FittedRadius, b: FittedRadius): number {
  return (
    ORDER.indexOf(a.level) - ORDER.indexOf(b.level) || (a.claimedKm ?? Infinity) - (b.claimedKm ?? Infinity)
  );
}
