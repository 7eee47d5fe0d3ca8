import { LEVELS, type Judgement, type Level } from './judge.js';

/** Truth at one level, by what became of it: `asked = right + wrong + absent`, in places or in addresses. */
export interface Outcome {
  readonly asked: number;
  readonly right: number;
  readonly wrong: number;
  readonly absent: number;
}

/** What a subject is worth. Shares are 0..1 of what was asked; absent where nothing was. */
export interface Shares extends Partial<Readonly<Record<Level, number>>> {
  /** Places for which it named any country. */
  readonly answered?: number;
  /** Half of the distances are no longer; absent where there are none. */
  readonly medianKm?: number;
}

/** One subject's shares and what they were counted from. */
export interface Score extends Shares {
  readonly outcomes: Readonly<Record<Level, Outcome>>;
  /** Places that the median is of: those for which both sides have coordinates. */
  readonly distances: number;
}

/** A judgement and what it weighs: 1, or the addresses of its network. */
export interface WeighedJudgement {
  readonly judgement: Judgement;
  readonly weight: number;
}

/** Sums judgements up. */
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
 * The plain average of shares, so that a large group weighs no more than a small one; a group that was asked nothing
 * at a level has no say there. Medians do not average and are left out.
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

/** The least distance at or under which half of the weight lies. */
function weighedMedian(
  measured: readonly { readonly km: number; readonly weight: number }[],
): number | undefined {
  const known = [...measured].sort((a, b) => a.km - b.km);
  const half = known.reduce((sum, { weight }) => sum + weight, 0) / 2;
  let under = 0;
  return known.find(({ weight }) => (under += weight) >= half)?.km;
}
