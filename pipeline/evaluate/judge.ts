import { distanceKm } from '../gazetteer/distance.js';
import type { Answer } from './answers.js';
import type { KnownPlace } from './known-place.js';

/** The result of comparing an answer with the truth at one level. */
export type Mark = 'right' | 'wrong' | 'absent';

/** The levels at which an answer is compared with the truth. */
export const LEVELS = ['country', 'region', 'cityId', 'cityName', 'within50Km'] as const;
/** A level at which an answer is compared with the truth. */
export type Level = (typeof LEVELS)[number];

/** The comparison of one answer with one place. Levels that the truth does not name are absent. */
export interface Judgement extends Partial<Readonly<Record<Level, Mark>>> {
  readonly country: Mark;
  /** The distance; absent if either side has no coordinates. */
  readonly km?: number;
}

/** Cities within this distance count as the same place, since metropolitan names differ between publishers. */
const NEAR_KM = 50;

/**
 * Compares an answer with the truth. A pure function. A city given only as text is wrong by id, not absent, because the
 * publisher named a city.
 */
export function judge(truth: KnownPlace, answer: Answer | undefined): Judgement {
  const km = truth.point && answer?.point ? distanceKm(truth.point, answer.point) : undefined;
  return {
    country: markOf(answer?.country, (country) => country === truth.country),
    ...(truth.region !== undefined && {
      region: markOf(answer?.region, (region) => region === truth.region),
    }),
    ...(truth.cityId !== undefined && { cityId: markCity(answer, (city) => city.cityId === truth.cityId) }),
    ...(truth.cityName !== undefined && {
      cityName: markCity(answer, ({ cityNames }) => cityNames.includes(truth.cityName!)),
    }),
    ...(truth.point && { within50Km: markOf(km, (distance) => distance <= NEAR_KM) }),
    ...(km !== undefined && { km }),
  };
}

function markOf<T>(answer: T | undefined, isRight: (answer: T) => boolean): Mark {
  if (answer === undefined) return 'absent';
  return isRight(answer) ? 'right' : 'wrong';
}

function markCity(answer: Answer | undefined, isRight: (answer: Answer) => boolean): Mark {
  const hasCity = answer !== undefined && (answer.cityId !== undefined || answer.cityNames.length > 0);
  return markOf(hasCity ? answer : undefined, isRight);
}

/**
 * Returns whether an answer is right about the country, region or city; undefined if the truth names none or the answer
 * has none. A city is right by its id or by its name.
 */
export function isRightAt(judgement: Judgement, level: 'country' | 'region' | 'city'): boolean | undefined {
  const marks = level === 'city' ? [judgement.cityId, judgement.cityName] : [judgement[level]];
  const known = marks.filter((mark) => mark !== undefined && mark !== 'absent');
  return known.length === 0 ? undefined : known.includes('right');
}
