import type { Gazetteer } from '../gazetteer/gazetteer.js';
import { decideLocation, type Location } from '../merge/location.js';
import { LEVELS } from '../merge/confidence.js';
import { present } from '../mmdb/present.js';
import type { Level } from '../merge/precedence.js';
import type { Scorecard } from '../release/scorecard.js';
import { answerOf } from './answers.js';
import { isRightAt, judge, type Judgement } from './judge.js';
import { reliabilityOf, type Answered } from './reliability.js';
import { meanShares, scoreOf, type Shares } from './score.js';
import type { Case } from './statements.js';

/** Part of the cache key of geo.mmdb; raise it with every change to the scorecard. */
export const SCORECARD_VERSION = 1;

/** A case with the merge's answer. */
interface Judged {
  readonly operator: string;
  readonly location: Location | undefined;
  readonly judgement: Judgement;
}

/**
 * Lets the merge answer every case and compares the answers with the truth; see `decideLocation` for `leastRegionWeight`.
 * Returns undefined without cases.
 */
export function scorecardOf(
  cases: readonly Case[],
  gazetteer: Gazetteer,
  leastRegionWeight?: number,
): Scorecard | undefined {
  if (cases.length === 0) return undefined;
  const known = new Map<Case, Judged>();
  const judgeOnce = (one: Case): Judged => {
    const held = known.get(one);
    if (held) return held;
    const { operator, place, claims } = one;
    const location = decideLocation(claims, leastRegionWeight);
    const judged = { operator, location, judgement: judge(place, location && answerOf(location, gazetteer)) };
    known.set(one, judged);
    return judged;
  };
  const judged = cases.map(judgeOnce);
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
    mean: meanOf([...byOperator.values()].map(sharesOf)),
    reliability: LEVELS.map((level) => {
      const { rows, ...error } = reliabilityOf(level, answersAt(judged, level));
      return { ...error, rows: [...rows] };
    }),
  };
}

/** The shares of a score and that of radii. */
interface CardShares extends Shares {
  readonly withinRadius?: number;
}

function meanOf(shares: readonly CardShares[]): CardShares {
  const known = shares.flatMap(({ withinRadius }) => withinRadius ?? []);
  const withinRadius = known.reduce((sum, share) => sum + share, 0) / known.length;
  return { ...meanShares(shares), ...(known.length > 0 && { withinRadius }) };
}

function sharesOf(judged: readonly Judged[]): CardShares {
  const score = scoreOf(judged.map(({ judgement }) => ({ judgement, weight: 1 })));
  const { country, region, cityId, cityName, within50Km, answered, medianKm } = score;
  const withinRadius = radiusShare(judged);
  return present({ country, region, cityId, cityName, within50Km, answered, medianKm, withinRadius });
}

/** Returns the share of answers whose radius covers the truth; undefined without distances. */
function radiusShare(judged: readonly Judged[]): number | undefined {
  const measured = judged.flatMap(({ location, judgement: { km } }) =>
    km === undefined ? [] : [km <= (location?.radiusKm ?? 0)],
  );
  return measured.length === 0 ? undefined : measured.filter(Boolean).length / measured.length;
}

function answersAt(judged: readonly Judged[], level: Level): Answered[] {
  return judged.flatMap(({ operator, location, judgement }) => {
    const confidence = location?.[`${level}Confidence`];
    const isRight = isRightAt(judgement, level);
    return confidence === undefined || isRight === undefined ? [] : [{ operator, confidence, isRight }];
  });
}
