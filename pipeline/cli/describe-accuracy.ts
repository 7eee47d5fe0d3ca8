import { ACCURACY_SHARES, isComparable, kmText, scorecardIn, shareText } from '../release/accuracy.js';
import type { Manifest } from '../release/contract.js';
import type { Scorecard, ScorecardShares } from '../release/scorecard.js';
import { grouped } from '../text/figure-text.js';

/**
 * Returns the build summary of the scorecard, with the figures of the last release in brackets; no lines without a
 * scorecard.
 */
export function describeAccuracy(manifest: Scored, last: Scored | undefined): string[] {
  const scorecard = scorecardIn(manifest.datasets);
  if (!scorecard) return [];
  const before = last && isComparable(manifest, last) ? scorecardIn(last.datasets) : undefined;
  const of = ({ networks, operators }: Scorecard): string =>
    `${grouped(networks)} networks of ${grouped(operators)} operators`;
  return [
    `accuracy against ${of(scorecard)}, answered without their statements` +
      (before ? ` (last release: ${of(before)})` : ''),
    `  all networks: ${describeShares(scorecard.all, before?.all)}`,
    `  mean over operators: ${describeShares(scorecard.mean, before?.mean)}`,
    ...describeErrors(scorecard, before),
  ];
}

type Scored = Pick<Manifest, 'datasets' | 'source'>;

/** The shares of right answers and the median distance, such as `country 96.4 % (96.5 %), median 0.4 km (0.4 km)`. */
function describeShares(now: ScorecardShares, last: ScorecardShares | undefined): string {
  const shares = ACCURACY_SHARES.map(([key, name]) => describe(name, now[key], last?.[key], shareText));
  return [...shares, describe('median', now.medianKm, last?.medianKm, kmText)].flat().join(', ');
}

/** The calibration errors of the levels with answers; no line without any. */
function describeErrors({ reliability }: Scorecard, before: Scorecard | undefined): string[] {
  const errors = reliability.flatMap(({ level, error }) => {
    const last = before?.reliability.find((one) => one.level === level)?.error;
    return describe(level, error, last, (points) => points.toFixed(1));
  });
  return errors.length === 0 ? [] : [`  calibration error in percentage points: ${errors.join(', ')}`];
}

/** A figure with its name, and that of the last release in brackets; nothing for an absent figure. */
function describe(
  name: string,
  now: number | undefined,
  before: number | undefined,
  format: (figure: number) => string,
): string[] {
  if (now === undefined) return [];
  return [`${name} ${format(now)}${before === undefined ? '' : ` (${format(before)})`}`];
}
