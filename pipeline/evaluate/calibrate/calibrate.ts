import type { Gazetteer } from '../../gazetteer/gazetteer.js';
import type { Level } from '../../merge/precedence.js';
import { LEVELS } from '../../merge/confidence.js';
import { policyNumberOf } from '../../merge/weights.js';
import { reliabilityOf, type Reliability } from '../reliability.js';
import type { Case } from '../statements.js';
import { ballotsOf, type Ballot } from './ballots.js';
import { fitConfidence } from './fit-confidence.js';
import { fitRadius, type FittedRadius } from './fit-radius.js';
import { fitWeights, outcomeOf, type FittedWeights } from './fit-weights.js';
import { observe } from './observations.js';
import { confidencesAt, type Points } from './held-out-confidence.js';

/** Shares of right answers in percent: of all networks, and as a mean over the operators. */
export interface Figures {
  readonly all: number;
  readonly mean: number;
}

/** A number of the policy with its fitted weight. */
export interface FittedNumber {
  readonly name: string;
  readonly present: number;
  readonly fitted: number;
  /** The least and the greatest weight of the fits that leave one operator out; `fitted` if no such fit has the number. */
  readonly spread: readonly [number, number];
  /** The networks with a claim of that weight. */
  readonly networks: number;
}

/** The fit of one level. */
export interface LevelFit {
  readonly level: Level;
  readonly networks: number;
  readonly numbers: readonly FittedNumber[];
  /** With the present policy, with the fitted weights, and with weights that were fitted without the operator. */
  readonly present: Figures;
  readonly fitted: Figures;
  readonly heldOut: Figures;
}

/** The result of a calibration. */
export interface Calibration {
  readonly networks: number;
  readonly operators: number;
  readonly weights: readonly LevelFit[];
  /** For `CONFIDENCE`. */
  readonly points: Points;
  /** Of confidences whose points were fitted without the operator. */
  readonly reliability: readonly Reliability[];
  /** For `RADIUS_KM`. */
  readonly radius: readonly FittedRadius[];
}

/**
 * Fits weights, confidences and radii to the cases. Everything is fitted once to all operators, and once without each
 * operator, so that the figures show what it is worth for operators it has not seen. Beyond MOST_FITS operators, several
 * are left out together. Calls `onStep` before each step.
 */
export function calibrate(
  cases: readonly Case[],
  gazetteer: Gazetteer,
  onStep: (text: string) => void,
): Calibration {
  const operators = [...new Set(cases.map(({ operator }) => operator))].sort();
  const folds = foldsOf(operators);
  const weights = LEVELS.map((level) => {
    onStep(
      `fitting the weights of the ${level}, ${folds.length} times without others of ${operators.length} operators`,
    );
    return fitLevel(cases, level, folds);
  });
  onStep('deciding every network');
  const observations = observe(cases, gazetteer);
  const pointsWithout = (fold?: Fold): Points => ({
    country: fitConfidence(observations, 'country', fold),
    region: fitConfidence(observations, 'region', fold),
    city: fitConfidence(observations, 'city', fold),
  });
  onStep(`fitting the confidences, ${folds.length} times without others of ${operators.length} operators`);
  const heldOut = withoutEach(folds, pointsWithout);
  return {
    networks: cases.length,
    operators: operators.length,
    weights,
    points: pointsWithout(),
    reliability: LEVELS.map((level) =>
      reliabilityOf(
        level,
        confidencesAt(observations, level, (operator) => heldOut.get(operator)!),
      ),
    ),
    radius: fitRadius(observations),
  };
}

/** Operators that are left out together. */
type Fold = ReadonlySet<string>;

/** The greatest number of fits that leave operators out: a release may have thousands of geofeeds. */
const MOST_FITS = 50;

function foldsOf(operators: readonly string[]): Fold[] {
  const count = Math.min(MOST_FITS, operators.length);
  return Array.from(
    { length: count },
    (_, fold) => new Set(operators.filter((_operator, index) => index % count === fold)),
  );
}

/** Fits once without each fold. Returns the fit without the operator, by operator. */
function withoutEach<T>(folds: readonly Fold[], fit: (fold: Fold) => T): Map<string, T> {
  return new Map(
    folds.flatMap((fold) => {
      const fitted = fit(fold);
      return [...fold].map((operator): [string, T] => [operator, fitted]);
    }),
  );
}

function fitLevel(cases: readonly Case[], level: Level, folds: readonly Fold[]): LevelFit {
  const ballots = ballotsOf(cases, level);
  const fitted = fitWeights(ballots);
  const without = withoutEach(folds, (fold) => fitWeights(ballots, fold));
  const present = presentWeights(cases, level);
  const numbers = [...fitted].map(([name, weight]): FittedNumber => {
    const leftOut = [...without.values()].flatMap((weights) => weights.get(name) ?? []);
    const others = leftOut.length === 0 ? [weight] : leftOut;
    return {
      name,
      present: present.get(name)!,
      fitted: weight,
      spread: [Math.min(...others), Math.max(...others)],
      networks: networksIn(ballots.filter(({ voters }) => voters.some(({ number }) => number === name))),
    };
  });
  return {
    level,
    networks: networksIn(ballots),
    numbers,
    present: figuresOf(ballots, () => present),
    fitted: figuresOf(ballots, () => fitted),
    heldOut: figuresOf(ballots, (operator) => without.get(operator)!),
  };
}

function presentWeights(cases: readonly Case[], level: Level): FittedWeights {
  const weights = new Map<string, number>();
  for (const { claims } of cases) {
    for (const { weight, country } of claims) {
      for (const detail of ['registered', weight.detail] as const) {
        const number = policyNumberOf({ ...weight, country }, level, detail);
        weights.set(number.name, number.weight);
      }
    }
  }
  return weights;
}

function figuresOf(ballots: readonly Ballot[], weightsFor: (operator: string) => FittedWeights): Figures {
  const byOperator = new Map<string, { asked: number; right: number }>();
  for (const ballot of ballots) {
    for (const [operator, count] of ballot.countByOperator) {
      const held = byOperator.get(operator) ?? { asked: 0, right: 0 };
      byOperator.set(operator, held);
      held.asked += count;
      if (outcomeOf(ballot, weightsFor(operator)) === true) held.right += count;
    }
  }
  const shares = [...byOperator.values()];
  const sum = (of: (one: (typeof shares)[number]) => number): number =>
    shares.reduce((total, one) => total + of(one), 0);
  return {
    all:
      (100 * sum(({ right }) => right)) /
      Math.max(
        1,
        sum(({ asked }) => asked),
      ),
    mean: (100 * sum(({ asked, right }) => right / asked)) / Math.max(1, shares.length),
  };
}

function networksIn(ballots: readonly Ballot[]): number {
  return ballots.reduce(
    (sum, { countByOperator }) => [...countByOperator.values()].reduce((a, b) => a + b, sum),
    0,
  );
}
