import { ACCURACY_SHARES, shareText } from './accuracy.js';
import type { CheckOutcome } from './figures.js';
import type { Scorecard, ScorecardShares } from './scorecard.js';
import { grouped } from '../text/figure-text.js';

/** The largest falls that pass, in percentage points. */
const LARGEST_FALLS = { all: 3, mean: 5 } as const;
/** A fall by the share of two operators always passes in the mean. */
const FEW_OPERATORS = 2;
/** Scorecards with fewer networks or operators are not compared: cities would be those of a handful of networks. */
const LEAST_NETWORKS = 1_000;
const LEAST_OPERATORS = 3;

/** The bounds of the gate as text. */
export const ACCURACY_BOUNDS =
  `right answers at most ${LARGEST_FALLS.all} percentage points below the last release, in the mean over operators ` +
  `${LARGEST_FALLS.mean} (or ${FEW_OPERATORS} operators); additional networks and operators do not count; ` +
  `from ${grouped(LEAST_NETWORKS)} networks of ${LEAST_OPERATORS} operators on`;

/**
 * Compares the accuracy of a release with that of the last one. If there are more networks (in the mean: operators)
 * than in the last release, a fall passes that wrong answers about the additional ones can explain.
 */
export function judgeAccuracy(now: Scorecard | undefined, before: Scorecard | undefined): CheckOutcome[] {
  const sizes = `${sizeOf(now)}, ${sizeOf(before)} in the last release`;
  if (!now || !before || !isLarge(now) || !isLarge(before)) {
    return [{ passed: true, found: `not compared: ${sizes}` }];
  }
  const operators = [now.operators, before.operators] as const;
  const findings = [
    ...compareShares(now.all, before.all, {
      prefix: '',
      largestFall: LARGEST_FALLS.all / 100,
      common: commonShare(now.networks, before.networks),
    }),
    ...compareShares(now.mean, before.mean, {
      prefix: 'mean ',
      largestFall: Math.max(LARGEST_FALLS.mean / 100, FEW_OPERATORS / Math.min(...operators)),
      common: commonShare(...operators),
    }),
  ];
  return [{ passed: findings.every(({ passed }) => passed), found: sizes }, ...findings];
}

function isLarge({ networks, operators }: Scorecard): boolean {
  return networks >= LEAST_NETWORKS && operators >= LEAST_OPERATORS;
}

function sizeOf(scorecard: Scorecard | undefined): string {
  const { networks, operators } = scorecard ?? { networks: 0, operators: 0 };
  return `${grouped(networks)} networks of ${grouped(operators)} operators`;
}

/** Returns the part of `now`, 0..1, that is not additional to `before`. */
function commonShare(now: number, before: number): number {
  return Math.min(1, before / now);
}

interface Comparison {
  readonly prefix: string;
  /** 0..1 */
  readonly largestFall: number;
  /** The part of the networks or operators, 0..1, that is not additional. */
  readonly common: number;
}

/** Compares the shares that both releases have. */
function compareShares(
  now: ScorecardShares,
  before: ScorecardShares,
  { prefix, largestFall, common }: Comparison,
): CheckOutcome[] {
  return ACCURACY_SHARES.flatMap(([key, name]) => {
    const [share, last] = [now[key], before[key]];
    if (share === undefined || last === undefined) return [];
    const passed = share >= last * common - largestFall - ROUNDING;
    return [
      { passed, found: `${prefix}${name} ${shareText(share)} (${shareText(last)} in the last release)` },
    ];
  });
}

/** Absorbs the rounding of floating-point numbers. */
const ROUNDING = 1e-9;
