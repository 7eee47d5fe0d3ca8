import type { Manifest } from './contract.js';
import type { Scorecard, ScorecardShares } from './scorecard.js';

/** The shares of right answers that are compared between releases, with their names for people. */
export const ACCURACY_SHARES = [
  ['country', 'country'],
  ['region', 'region'],
  ['cityId', 'city'],
  ['within50Km', '≤50 km'],
] as const satisfies readonly (readonly [keyof ScorecardShares, string])[];

/** Returns the scorecard of a release; absent without statements of operators, and before there were scorecards. */
export function scorecardIn(datasets: Manifest['datasets']): Scorecard | undefined {
  return datasets?.geo?.scorecard;
}

/** A release with the source of its files, as in the manifest. */
interface Sourced {
  readonly source?: Manifest['source'];
}

/** Returns whether a release may be compared with `last`: a real release is not compared with one from fixtures. */
export function isComparable({ source }: Sourced, last: Sourced): boolean {
  return last.source !== 'fixtures' || source === 'fixtures';
}

/** Formats a share (0..1) with one decimal: `96.4 %`. */
export function shareText(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** Formats a distance: `under 0.1 km`, `2.3 km`, from 100 km on without decimals. */
export function kmText(km: number): string {
  if (km < 0.1) return 'under 0.1 km';
  return km < 100 ? `${Number(km.toFixed(1))} km` : `${Math.round(km).toLocaleString('en-US')} km`;
}
