import {
  RADIUS_CLASSES,
  radiusClassOf,
  type ConfidencePoints,
  type Evidence,
  type Step,
} from '../../merge/confidence.js';
import { DETAILS, type Detail, type Level } from '../../merge/precedence.js';
import type { Observation } from './observations.js';
import { operatorWeights } from '../operator-weights.js';

/** The lower bounds of the steps of shares and of voices. */
const SHARES = [50, 60, 70, 80, 90, 100] as const;
const VOICES = [2, 3, 4] as const;
/** Pulls points without much evidence towards 0: as strong as this many networks of one operator. */
const RIDGE = 1;
const SWEEPS = 200;

/** What the confidence of each level depends on: a region or city also on the radius. */
const DETAILS_OF: Readonly<Record<Level, readonly Detail[]>> = {
  country: DETAILS,
  region: ['region', 'city'],
  city: [],
};

/** Evidence with the same features, with its weights in the fit. */
interface Row {
  readonly features: readonly number[];
  all: number;
  right: number;
}

/**
 * Fits the points of one level by logistic regression, to the observations in which the levels above are right. More
 * share and more voices never lower the probability. `without` leaves operators out.
 */
export function fitConfidence(
  observations: readonly Observation[],
  level: Level,
  without?: ReadonlySet<string>,
): ConfidencePoints {
  const features = featuresOf(level);
  const rows = rowsOf(observations, level, { features, without });
  const points = new Float64Array(features.length);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    features.forEach((feature, index) => {
      let slope = feature.isBase ? 0 : RIDGE * points[index]!;
      let curvature = feature.isBase ? 1e-9 : RIDGE;
      for (const { features: present, all, right } of rows) {
        if (!present.includes(index)) continue;
        const p = probability(present, points);
        slope += all * p - right;
        curvature += all * p * (1 - p);
      }
      const moved = points[index]! - slope / curvature;
      points[index] = feature.isIncreasing ? Math.max(0, moved) : moved;
    });
  }
  return pointsOf(features, points);
}

interface Feature {
  readonly kind: 'base' | 'share' | 'voices' | 'detail' | 'radius';
  /** The lower bound of a step, or the index of a detail or class of radii. */
  readonly value: number;
  readonly isBase: boolean;
  readonly isIncreasing: boolean;
}

function featuresOf(level: Level): Feature[] {
  const step = (kind: 'share' | 'voices') => (value: number) => ({
    kind,
    value,
    isBase: false,
    isIncreasing: true,
  });
  const choice = (kind: 'detail' | 'radius') => (value: number) => ({
    kind,
    value,
    isBase: false,
    isIncreasing: false,
  });
  const classes = level === 'country' ? [] : [...RADIUS_CLASSES.keys(), RADIUS_CLASSES.length];
  return [
    { kind: 'base', value: 0, isBase: true, isIncreasing: false },
    ...SHARES.map(step('share')),
    ...VOICES.map(step('voices')),
    ...DETAILS_OF[level].map((detail) => DETAILS.indexOf(detail)).map(choice('detail')),
    ...classes.map(choice('radius')),
  ];
}

function has(evidence: Evidence, { kind, value }: Feature): boolean {
  if (kind === 'base') return true;
  if (kind === 'detail') return DETAILS.indexOf(evidence.detail) === value;
  if (kind === 'radius') return radiusClassOf(evidence.radiusKm) === value;
  return evidence[kind] >= value;
}

function rowsOf(
  observations: readonly Observation[],
  level: Level,
  {
    features,
    without,
  }: { readonly features: readonly Feature[]; readonly without: ReadonlySet<string> | undefined },
): Row[] {
  const asked = observations.filter((observation) => isAsked(observation, level));
  const counts = new Map<string, number>();
  for (const { operator } of asked) counts.set(operator, (counts.get(operator) ?? 0) + 1);
  const weigh = operatorWeights([counts], without);
  const rows = new Map<string, Row>();
  for (const { operator, levels } of asked) {
    const weight = weigh(new Map([[operator, 1]]));
    const { evidence, isRight } = levels[level]!;
    const present = features.flatMap((feature, index) => (has(evidence, feature) ? [index] : []));
    const key = present.join(' ');
    const row = rows.get(key) ?? { features: present, all: 0, right: 0 };
    rows.set(key, row);
    row.all += weight;
    if (isRight) row.right += weight;
  }
  return [...rows.values()];
}

/** Whether an observation shows if a level is right when the levels above are. */
function isAsked({ levels }: Observation, level: Level): boolean {
  if (levels[level] === undefined) return false;
  if (level !== 'country' && levels.country?.isRight === false) return false;
  return level !== 'city' || levels.region?.isRight !== false;
}

function probability(present: readonly number[], points: Float64Array): number {
  let sum = 0;
  for (const index of present) sum += points[index]!;
  return 1 / (1 + Math.exp(-sum));
}

function pointsOf(features: readonly Feature[], fitted: Float64Array): ConfidencePoints {
  const hundredths = (index: number): number => Math.round(100 * fitted[index]!);
  const steps = (kind: Feature['kind']): Step[] =>
    features.flatMap((feature, index) => (feature.kind === kind ? [[feature.value, hundredths(index)]] : []));
  const pointOf = (kind: Feature['kind'], value: number): number => {
    const index = features.findIndex((feature) => feature.kind === kind && feature.value === value);
    return index < 0 ? 0 : hundredths(index);
  };
  return {
    base: hundredths(0),
    share: steps('share').filter(([, points]) => points > 0),
    voices: steps('voices').filter(([, points]) => points > 0),
    detail: Object.fromEntries(DETAILS.map((detail, value) => [detail, pointOf('detail', value)])) as Record<
      Detail,
      number
    >,
    radius: [...RADIUS_CLASSES.keys(), RADIUS_CLASSES.length].map((value) => pointOf('radius', value)),
  };
}
