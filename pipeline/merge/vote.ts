import { CONFIDENCE_STEP, ECHO_WEIGHT, FULL_VOICE, type Weights } from './precedence.js';
import type { Statement } from './statement.js';

export type Level = keyof Weights;

/** How a vote on one level ended. */
export interface Outcome {
  /** The statements that agree with the winner, in the order of the voters. Never empty. */
  readonly winners: readonly Statement[];
  /** The winners' share of the weight that voted, in percent: CONFIDENCE_STEP..100 in such steps, rounded down. */
  readonly confidence: number;
}

/** Whether two statements mean the same at some level. Symmetric, and true of a statement and itself. */
export type Agree = (a: Statement, b: Statement) => boolean;

/** What decides how much a voter weighs. */
export interface Scale {
  readonly level: Level;
  /** Where the network is registered, if that may be what a voter repeats (ECHO_WEIGHT). */
  readonly registeredCountry?: string | undefined;
}

/** What is voted on. */
export interface Question extends Scale {
  readonly agree: Agree;
}

/**
 * A weighted vote: every statement is a candidate, elected by all that agree with it. The greatest sum wins, and of
 * equal ones the first. `stated`, one of the voters, wins whatever the sums are. Absent without voters.
 */
export function vote(
  voters: readonly Statement[],
  question: Question,
  stated?: Statement,
): Outcome | undefined {
  const [first] = voters;
  if (first === undefined) return undefined;
  let winner = stated ?? first;
  let most = supportOf(winner, voters, question);
  const total = totalOf(voters, question);
  for (const candidate of voters) {
    if (stated !== undefined || most === total) break;
    const support = supportOf(candidate, voters, question);
    if (support <= most) continue;
    most = support;
    winner = candidate;
  }
  const winners = most === total ? voters : voters.filter((voter) => question.agree(winner, voter));
  return { winners, confidence: shareOf(most, total) };
}

/** The statements that pass; the same array when all of them do. */
export function those(
  statements: readonly Statement[],
  pass: (statement: Statement) => boolean,
): readonly Statement[] {
  for (const statement of statements) if (!pass(statement)) return statements.filter(pass);
  return statements;
}

/** Of statements in the order of precedence, the one with the greatest weight that `has` what is looked for. */
export function heaviest(
  statements: readonly Statement[],
  scale: Scale,
  has: (statement: Statement) => boolean,
): Statement | undefined {
  let best: Statement | undefined;
  for (const statement of statements) {
    if (!has(statement)) continue;
    if (best === undefined || weightOf(statement, scale) > weightOf(best, scale)) best = statement;
  }
  return best;
}

/** Whether a voter names a country and no place in it. */
export function namesOnlyCountry({ region, regionText, cityId, cityText, voice }: Statement): boolean {
  return (
    voice.standing === 'voter' &&
    (region ?? regionText) === undefined &&
    cityId === undefined &&
    cityText === undefined
  );
}

function supportOf(candidate: Statement, voters: readonly Statement[], question: Question): number {
  let support = 0;
  for (const voter of voters) if (question.agree(candidate, voter)) support += weightOf(voter, question);
  return support;
}

function totalOf(statements: readonly Statement[], question: Question): number {
  let weight = 0;
  for (const statement of statements) weight += weightOf(statement, question);
  return weight;
}

function weightOf(voter: Statement, { level, registeredCountry }: Scale): number {
  const weight = voter.voice.weights[level];
  return registeredCountry === voter.country && namesOnlyCountry(voter)
    ? Math.min(weight, ECHO_WEIGHT)
    : weight;
}

function shareOf(weight: number, total: number): number {
  const share = (100 * weight) / Math.max(total, FULL_VOICE);
  return Math.max(CONFIDENCE_STEP, Math.floor(share / CONFIDENCE_STEP) * CONFIDENCE_STEP);
}
