import type { Gazetteer } from '../gazetteer/gazetteer.js';
import { decideLocation, type Location } from '../merge/location.js';
import { present } from '../mmdb/present.js';
import type { Level } from '../merge/precedence.js';
import type { Scorecard } from '../release/scorecard.js';
import { answerOf } from './answers.js';
import { isRightAt, judge, type Judgement } from './judge.js';
import { reliabilityOf, type Answered } from './reliability.js';
import { meanShares, scoreOf, type Shares } from './score.js';
import type { Case } from './statements.js';

/** A case with the merge's answer. */
interface Judged {
  readonly operator: string;
  readonly location: Location | undefined;
  readonly judgement: Judgement;
}

/** The levels with a confidence. */
const LEVELS = ['country', 'region', 'city'] as const satisfies readonly Level[];

/** Lets the merge answer every case and compares the answers with the truth. Returns undefined without cases. */
export function scorecardOf(cases: readonly Case[], gazetteer: Gazetteer): Scorecard | undefined {
  if (cases.length === 0) return undefined;
  const judged = cases.map(({ operator, place, claims }): Judged => {
    const location = decideLocation(claims);
    return { operator, location, judgement: judge(place, location && answerOf(location, gazetteer)) };
  });
  const byOperator = new Map<string, Judged[]>();
  for (const one of judged) {
    const held = byOperator.get(one.operator);
    if (held) held.push(one);
    else byOperator.set(one.operator, [one]);
  }
  return {
    networks: judged.length,
    operators: byOperator.size,
    all: sharesOf(judged),
    mean: meanShares([...byOperator.values()].map(sharesOf)),
    reliability: LEVELS.map((level) => {
      const { rows, ...error } = reliabilityOf(level, answersAt(judged, level));
      return { ...error, rows: [...rows] };
    }),
  };
}

function sharesOf(judged: readonly Judged[]): Shares {
  const score = scoreOf(judged.map(({ judgement }) => ({ judgement, weight: 1 })));
  const { country, region, cityId, cityName, within50Km, answered, medianKm } = score;
  return present({ country, region, cityId, cityName, within50Km, answered, medianKm });
}

function answersAt(judged: readonly Judged[], level: Level): Answered[] {
  return judged.flatMap(({ operator, location, judgement }) => {
    const confidence = location?.[`${level}Confidence`];
    const isRight = isRightAt(judgement, level);
    return confidence === undefined || isRight === undefined ? [] : [{ operator, confidence, isRight }];
  });
}
