import type { ResolvedClaim } from './resolved-claim.js';

/**
 * Whether a network is anycast. What its operator states always counts. What others list does not count for a network
 * whose place a cloud or an exchange states; `strongest` is the strongest claim with a country.
 */
export function isAnycast(claims: readonly ResolvedClaim[], strongest: ResolvedClaim | undefined): boolean {
  const isPlaced = strongest?.weight.rule === 'statement';
  for (const { anycast } of claims) {
    if (anycast === 'stated' || (anycast === 'listed' && !isPlaced)) return true;
  }
  return false;
}
