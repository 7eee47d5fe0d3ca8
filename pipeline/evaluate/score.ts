import { LEVELS, type Judgement, type Level } from './judge.js';

/** The counts of marks at one level, in places or addresses: `asked = right + wrong + absent`. */
export interface Outcome {
  readonly asked: number;
  readonly right: number;
  readonly wrong: number;
  readonly absent: number;
}

/** The accuracy of a subject. Shares are 0..1 of the compared places; absent if no place was compared at that level. */
export interface Shares extends Partial<Readonly<Record<Level, number>>> {
  /** The share of places with any country in the answer. */
  readonly answered?: number;
  /** The median distance; absent without distances. */
  readonly medianKm?: number;
}

/** One subject's shares with the counts behind them. */
export interface Score extends Shares {
  readonly outcomes: Readonly<Record<Level, Outcome>>;
  /** The number of distances behind the median: places with coordinates on both sides. */
  readonly distances: number;
}

/** A judgement with its weight: 1, or the number of addresses of its network. */
export interface WeighedJudgement {
  readonly judgement: Judgement;
  readonly weight: number;
}

/** Computes the score of a set of judgements. */
export function scoreOf(judged: readonly WeighedJudgement[]): Score {
  const outcomes = Object.fromEntries(LEVELS.map((level) => [level, outcomeOf(judged, level)])) as Record<
    Level,
    Outcome
  >;
  const shares: { -readonly [name in keyof Shares]: Shares[name] } = {};
  for (const level of LEVELS) {
    const { asked, right } = outcomes[level];
    if (asked > 0) shares[level] = right / asked;
  }
  const { asked, absent } = outcomes.country;
  if (asked > 0) shares.answered = (asked - absent) / asked;
  const measured = judged.flatMap(({ judgement: { km }, weight }) =>
    km === undefined ? [] : [{ km, weight }],
  );
  const median = weighedMedian(measured);
  return {
    ...shares,
    ...(median !== undefined && { medianKm: median }),
    outcomes,
    distances: measured.length,
  };
}

/**
 * Returns the unweighted mean of shares. Large and small groups have the same weight. At each level only groups with a
 * share count. Medians are omitted because their mean has no meaning.
 */
export function meanShares(all: readonly Shares[]): Shares {
  const names = [...LEVELS, 'answered'] as const;
  const means = names.flatMap((name) => {
    const known = all.flatMap((shares) => (shares[name] === undefined ? [] : [shares[name]]));
    return known.length === 0 ? [] : [[name, known.reduce((sum, share) => sum + share, 0) / known.length]];
  });
  return Object.fromEntries(means) as Shares;
}

function outcomeOf(judged: readonly WeighedJudgement[], level: Level): Outcome {
  const outcome = { asked: 0, right: 0, wrong: 0, absent: 0 };
  for (const { judgement, weight } of judged) {
    const mark = judgement[level];
    if (mark === undefined) continue;
    outcome.asked += weight;
    outcome[mark] += weight;
  }
  return outcome;
}

/** Returns the smallest distance such that at least half of the weight is at or below it. */
function weighedMedian(
  measured: readonly { readonly km: number; readonly weight: number }[],
): number | undefined {
  const known = [...measured].sort((a, b) => a.km - b.km);
  const half = known.reduce((sum, { weight }) => sum + weight, 0) / 2;
  let under = 0;
  return known.find(({ weight }) => (under += weight) >= half)?.km;
}
