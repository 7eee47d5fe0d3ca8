import type { Detail, Level, Rule } from './precedence.js';

/** What a level of a decision rests on. The confidence is a function of it. */
export interface Evidence {
  /** The winners' share of the weight in percent, rounded down to tens: 10..100. */
  readonly share: number;
  /** The number of feeds that agree with the winner. Those that repeat a registration are one voice. */
  readonly voices: number;
  /** The most that a winner says; `registered` if all winners repeat the country of registration. */
  readonly detail: Detail;
  /** The radius of the coordinates that the winners give; undefined without coordinates. */
  readonly radiusKm: number | undefined;
}

/**
 * The points of one level in hundredths of the logit: their sum x gives the probability 1 / (1 + exp(-x / 100)). A step
 * `[from, points]` is added if the value is at least `from`.
 */
export interface ConfidencePoints {
  readonly base: number;
  readonly share: readonly Step[];
  readonly voices: readonly Step[];
  readonly detail: Readonly<Record<Detail, number>>;
  /** The points of each class of RADIUS_CLASSES, and of coordinates without a radius. */
  readonly radius: readonly number[];
}

export type Step = readonly [from: number, points: number];

/** The levels of a location, the coarsest first. */
export const LEVELS = ['country', 'region', 'city'] as const satisfies readonly Level[];

/** The upper bounds of the classes of radii in km. Wider radii and unknown ones are the last class. */
export const RADIUS_CLASSES = [5, 10, 20, 50, 100, 200, 500] as const;

/**
 * The probability that a level is right, given that the level above is right. Fitted by `make calibrate` to networks
 * of 32 operators that state their places (evaluate/README.md).
 */
export const CONFIDENCE: Readonly<Record<Level, ConfidencePoints>> = {
  country: {
    base: -14,
    share: [
      [60, 77],
      [70, 98],
      [80, 102],
      [90, 37],
      [100, 23],
    ],
    voices: [
      [2, 111],
      [3, 43],
      [4, 11],
    ],
    detail: { registered: -23, country: -39, region: 6, city: 56 },
    radius: [0, 0, 0, 0, 0, 0, 0, 0],
  },
  region: {
    base: 54,
    share: [
      [70, 4],
      [90, 33],
      [100, 33],
    ],
    voices: [
      [2, 128],
      [3, 36],
    ],
    detail: { registered: 0, country: 0, region: -7, city: 7 },
    radius: [17, 10, 136, -6, -38, -16, -110, 7],
  },
  city: {
    base: -28,
    share: [[70, 1]],
    voices: [
      [2, 108],
      [3, 33],
    ],
    detail: { registered: 0, country: 0, region: 0, city: 0 },
    radius: [22, -44, 224, -27, -36, -90, -74, 25],
  },
};

/**
 * The probability that a level is right on which the claim of a rule decides. These are estimates: a statement of an
 * operator can only be compared with itself.
 */
export const STATED_CONFIDENCE: Readonly<Record<Exclude<Rule, 'vote'>, number>> = {
  override: 0.99,
  geofeed: 0.96,
  statement: 0.98,
};

/** Confidences are multiples of this number, which keeps distinct records few, or MOST_CONFIDENCE. */
export const CONFIDENCE_STEP = 5;
/** The greatest confidence: nothing is certain. */
export const MOST_CONFIDENCE = 99;

/** Returns the index of the class of a radius. */
export function radiusClassOf(radiusKm: number | undefined): number {
  if (radiusKm === undefined) return RADIUS_CLASSES.length;
  let index = 0;
  while (index < RADIUS_CLASSES.length && radiusKm > RADIUS_CLASSES[index]!) index++;
  return index;
}

/** Returns the probability, 0..1, that a level is right if the level above is. */
export function probabilityOf(evidence: Evidence, points: ConfidencePoints): number {
  const sum =
    points.base +
    stepsBelow(points.share, evidence.share) +
    stepsBelow(points.voices, evidence.voices) +
    points.detail[evidence.detail] +
    points.radius[radiusClassOf(evidence.radiusKm)]!;
  return 1 / (1 + Math.exp(-sum / 100));
}

/** Returns a probability as a confidence in percent. */
export function percentOf(probability: number): number {
  const percent = Math.round((100 * probability) / CONFIDENCE_STEP) * CONFIDENCE_STEP;
  return Math.min(MOST_CONFIDENCE, Math.max(CONFIDENCE_STEP, percent));
}

/** Returns the more detailed of two details. */
export function finerOf(a: Detail, b: Detail): Detail {
  return positionOf(a) < positionOf(b) ? b : a;
}

/** Returns the position in DETAILS. */
export function positionOf(detail: Detail): number {
  return detail === 'city' ? 3 : detail === 'region' ? 2 : detail === 'country' ? 1 : 0;
}

function stepsBelow(steps: readonly Step[], value: number): number {
  let sum = 0;
  for (const [from, points] of steps) if (value >= from) sum += points;
  return sum;
}
