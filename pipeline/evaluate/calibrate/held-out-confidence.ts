import { LEVELS, percentOf, probabilityOf, type ConfidencePoints } from '../../merge/confidence.js';
import type { Level } from '../../merge/precedence.js';
import type { Answered } from '../reliability.js';
import type { Observation } from './observations.js';

/** The points of all levels. */
export type Points = Readonly<Record<Level, ConfidencePoints>>;

/** Returns the confidences of one level with the points for each operator. Levels that were not asked give none. */
export function confidencesAt(
  observations: readonly Observation[],
  level: Level,
  pointsFor: (operator: string) => Points,
): Answered[] {
  const until = LEVELS.slice(0, LEVELS.indexOf(level) + 1);
  return observations.flatMap(({ operator, levels }) => {
    const asked = levels[level];
    if (!asked) return [];
    const points = pointsFor(operator);
    const probability = until.reduce((product, one) => {
      const { evidence } = levels[one] ?? {};
      return evidence ? product * probabilityOf(evidence, points[one]) : product;
    }, 1);
    return [{ operator, confidence: percentOf(probability), isRight: asked.isRight }];
  });
}
