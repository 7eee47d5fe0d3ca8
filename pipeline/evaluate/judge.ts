import { distanceKm } from '../gazetteer/distance.js';
import type { Answer } from './answers.js';
import type { TruthPlace } from './truth.js';

export type Mark = 'right' | 'wrong' | 'absent';

/** Levels at which an answer is held against the truth. */
export const LEVELS = ['country', 'region', 'cityId', 'cityName', 'within50Km'] as const;
export type Level = (typeof LEVELS)[number];

/** How one answer compares with one place; a level the truth says nothing about is absent. */
export interface Judgement extends Partial<Readonly<Record<Level, Mark>>> {
  readonly country: Mark;
  /** Absent when either side has no coordinates. */
  readonly km?: number;
}

/** Cities this near are one place for whoever looks at a map: metropolitan names differ by publisher. */
const NEAR_KM = 50;

/**
 * Holds an answer against the truth, a pure function. A city that is only a text is wrong by id, not absent: the
 * publisher did name one.
 */
export function judge(truth: TruthPlace, answer: Answer | undefined): Judgement {
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

function markOf<T>(said: T | undefined, isRight: (said: T) => boolean): Mark {
  if (said === undefined) return 'absent';
  return isRight(said) ? 'right' : 'wrong';
}

function markCity(answer: Answer | undefined, isRight: (answer: Answer) => boolean): Mark {
  const hasCity = answer !== undefined && (answer.cityId !== undefined || answer.cityNames.length > 0);
  return markOf(hasCity ? answer : undefined, isRight);
}
