import { LEVELS, radiusClassOf, type Evidence } from '../../merge/confidence.js';
import { decideLocation } from '../../merge/location.js';
import type { Level } from '../../merge/precedence.js';
import type { Gazetteer } from '../../gazetteer/gazetteer.js';
import { answerOf } from '../answers.js';
import { isRightAt, judge } from '../judge.js';
import type { Case } from '../statements.js';

/** One case as the merge decided it: what each level rests on, and whether it is right. */
export interface Observation {
  readonly operator: string;
  /** By level; absent where the merge decided nothing, or the truth names nothing. */
  readonly levels: Partial<
    Readonly<Record<Level, { readonly evidence: Evidence; readonly isRight: boolean }>>
  >;
  /** The finest level that was decided, with the radius that was claimed and the distance from the truth. */
  readonly distance: { readonly level: Level; readonly radiusClass: number; readonly km: number } | undefined;
}

/** Lets the merge decide every case. Cases without a decision are left out. */
export function observe(cases: readonly Case[], gazetteer: Gazetteer): Observation[] {
  return cases.flatMap(({ operator, place, claims }) => {
    const location = decideLocation(claims);
    const { evidence } = location ?? {};
    if (!location || !evidence) return [];
    const judgement = judge(place, answerOf(location, gazetteer));
    const levels = LEVELS.flatMap((level) => {
      const isRight = isRightAt(judgement, level);
      const found = evidence[level];
      return found === undefined || isRight === undefined ? [] : [[level, { evidence: found, isRight }]];
    });
    const finest = LEVELS.findLast((level) => evidence[level] !== undefined)!;
    const { km } = judgement;
    const radiusClass = radiusClassOf(evidence[finest]!.radiusKm);
    return {
      operator,
      levels: Object.fromEntries(levels) as Observation['levels'],
      distance: km === undefined ? undefined : { level: finest, radiusClass, km },
    };
  });
}
