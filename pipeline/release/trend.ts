import { isComparable } from './accuracy.js';
import type { Manifest } from './contract.js';

/**
 * Returns the releases of a trend: a release after the comparable ones that were built before it, the oldest first.
 * `kept` are the manifests of other releases.
 */
export function releaseTrend(manifest: Manifest, kept: readonly Manifest[]): Manifest[] {
  const older = kept
    .filter((one) => one.buildEpoch < manifest.buildEpoch && isComparable(manifest, one))
    .sort((a, b) => a.buildEpoch - b.buildEpoch || (a.id < b.id ? -1 : 1));
  return [...older, manifest];
}
