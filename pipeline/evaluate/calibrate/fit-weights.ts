import { LEAST_PLACE_WEIGHT } from '../../merge/precedence.js';
import type { Ballot } from './ballots.js';
import { operatorWeights } from '../operator-weights.js';

/** Weights by the name of the policy's number. */
export type FittedWeights = ReadonlyMap<string, number>;

/** The weights that are tried for each number. */
export const GRID = [
  5, 10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90, 100, 115, 130, 150, 175, 200, 250, 300,
] as const;

/** Every number starts from here, so that the fit does not know the present policy. */
const START = 50;
const MOST_ROUNDS = 8;
/** A wrong region or city costs this share of a right one, so that an uncertain place may stay undecided. */
const COST_OF_WRONG = 0.25;

/**
 * Fits the weights of one level by coordinate ascent: each number in turn takes the weight of GRID with the most right
 * answers, in the middle of equally good ones, until nothing changes. An operator counts as `operatorWeights` says;
 * Those in `without` are left out. Numbers without a ballot are absent.
 */
export function fitWeights(ballots: readonly Ballot[], without?: ReadonlySet<string>): FittedWeights {
  const weigh = operatorWeights(
    ballots.map(({ countByOperator }) => countByOperator),
    without,
  );
  const counted = ballots.filter(({ countByOperator }) => weigh(countByOperator) > 0);
  const names = [...new Set(counted.flatMap(({ voters }) => voters.map(({ number }) => number)))].sort();
  const compiled = counted.map((ballot) => ({
    ...compile(ballot, names),
    weight: weigh(ballot.countByOperator),
  }));
  const weights = new Float64Array(names.length).fill(START);
  const concerned = names.map((_, index) => compiled.filter(({ numbers }) => numbers.includes(index)));
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const before = weights.slice();
    names.forEach((_, index) => {
      weights[index] = bestWeight(index, concerned[index]!, weights);
    });
    if (before.every((weight, index) => weight === weights[index])) break;
  }
  return new Map(names.map((name, index) => [name, weights[index]!]));
}

/** Returns whether the winner of a ballot is right; undefined if nothing is decided. */
export function outcomeOf(ballot: Ballot, weights: FittedWeights): boolean | undefined {
  const names = ballot.voters.map(({ number }) => number);
  const winner = winnerOf(
    compile(ballot, names),
    Float64Array.from(names, (name) => weights.get(name) ?? START),
  );
  return winner === undefined ? undefined : ballot.voters[winner]!.isRight;
}

/** A ballot in columns, by position of the voter. */
interface CompiledBallot {
  readonly isPlace: boolean;
  /** Indexes of the numbers that are the voters' weights. */
  readonly numbers: readonly number[];
  readonly graded: readonly number[];
  readonly agreeing: readonly number[];
  readonly repeating: readonly number[];
  readonly right: readonly boolean[];
}

interface WeighedBallot extends CompiledBallot {
  readonly weight: number;
}

function compile({ level, voters }: Ballot, names: readonly string[]): CompiledBallot {
  return {
    isPlace: level !== 'country',
    numbers: voters.map(({ number }) => names.indexOf(number)),
    graded: voters.map(({ graded }) => graded),
    agreeing: voters.map(({ agreeing }) => agreeing),
    repeating: voters.map(({ repeating }) => repeating),
    right: voters.map(({ isRight }) => isRight),
  };
}

/** The shares of the voters of the current ballot. A vote is held millions of times, so nothing is allocated for it. */
const shares = new Float64Array(32);
const counted = new Float64Array(32);

/** Returns the position of the winner; undefined if a place has too little support. */
function winnerOf(ballot: CompiledBallot, weights: Float64Array): number | undefined {
  const { numbers, graded, agreeing, repeating, isPlace } = ballot;
  const voters = numbers.length;
  for (let voter = 0; voter < voters; voter++)
    shares[voter] = Math.max(1, Math.round(weights[numbers[voter]!]! * graded[voter]!));
  for (let voter = 0; voter < voters; voter++)
    counted[voter] = isOutdone(repeating[voter]!, voter, voters) ? 0 : shares[voter]!;
  let winner = 0;
  let most = -1;
  for (let voter = 0; voter < voters; voter++) {
    const set = agreeing[voter]!;
    let support = 0;
    for (let other = 0; other < voters; other++) if ((set & (1 << other)) !== 0) support += counted[other]!;
    if (support <= most) continue;
    winner = voter;
    most = support;
  }
  return isPlace && most < LEAST_PLACE_WEIGHT ? undefined : winner;
}

/** Whether another voter of the set weighs more, or as much and comes first. */
function isOutdone(set: number, voter: number, voters: number): boolean {
  if (set === 0) return false;
  const share = shares[voter]!;
  for (let other = 0; other < voters; other++) {
    if ((set & (1 << other)) === 0) continue;
    if (shares[other]! > share || (shares[other] === share && other < voter)) return true;
  }
  return false;
}

function gainOf(ballot: WeighedBallot, weights: Float64Array): number {
  const winner = winnerOf(ballot, weights);
  if (winner === undefined) return 0;
  return ballot.weight * (ballot.right[winner] ? 1 : -COST_OF_WRONG);
}

/** Returns the middle one of the best weights for a number, the others unchanged. */
function bestWeight(index: number, ballots: readonly WeighedBallot[], weights: Float64Array): number {
  const gains = GRID.map((weight) => {
    weights[index] = weight;
    let gain = 0;
    for (const ballot of ballots) gain += gainOf(ballot, weights);
    return gain;
  });
  const most = Math.max(...gains) - ROUNDING;
  const best = GRID.filter((_, at) => gains[at]! >= most);
  return best[Math.floor((best.length - 1) / 2)]!;
}

/** Sums in a different order may differ by this much. */
const ROUNDING = 1e-9;
