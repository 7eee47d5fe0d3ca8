import { CONFIDENCE_STEP, FULL_VOICE, type Weights } from './precedence.js';
import type { Statement } from './statement.js';

export type Level = keyof Weights;

/** How a vote on one level ended. */
export interface Outcome {
  /** The statements that agree with the winner, in the order of the voters. Never empty. */
  readonly winners: readonly Statement[];
  /** The winners' share of the weight that voted, 0..100, rounded down to CONFIDENCE_STEP. */
  readonly confidence: number;
}

/** Whether two statements mean the same at some level. Symmetric, and true of a statement and itself. */
export type Agree = (a: Statement, b: Statement) => boolean;

/** What is voted on. */
export interface Question {
  readonly level: Level;
  readonly agree: Agree;
}

/**
 * A weighted vote: every statement is a candidate, elected by all that agree with it. The greatest sum wins, and of
 * equal ones the first. `stated`, one of the voters, wins whatever the sums are. Absent without voters.
 */
export function vote(
  voters: readonly Statement[],
  { level, agree }: Question,
  stated?: Statement,
): Outcome | undefined {
  let elected = stated;
  let most = 0;
  let total = 0;
  for (const candidate of voters) {
    total += candidate.voice.weights[level];
    if (stated !== undefined && candidate !== stated) continue;
    let sum = 0;
    for (const voter of voters) if (agree(candidate, voter)) sum += voter.voice.weights[level];
    if (sum <= most) continue;
    most = sum;
    elected = candidate;
  }
  if (elected === undefined) return undefined;
  const winner = elected;
  return { winners: voters.filter((voter) => agree(winner, voter)), confidence: shareOf(most, total) };
}

/** Of statements in the order of precedence, the one with the greatest weight that `has` what is looked for. */
export function heaviest(
  statements: readonly Statement[],
  level: Level,
  has: (statement: Statement) => boolean,
): Statement | undefined {
  let best: Statement | undefined;
  for (const statement of statements) {
    if (!has(statement)) continue;
    if (best === undefined || statement.voice.weights[level] > best.voice.weights[level]) best = statement;
  }
  return best;
}

function shareOf(weight: number, total: number): number {
  const share = (100 * weight) / Math.max(total, FULL_VOICE);
  return Math.floor(share / CONFIDENCE_STEP) * CONFIDENCE_STEP;
}
