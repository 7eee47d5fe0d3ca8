import type { Manifest } from '../release/contract.js';

/** How the regions of global DNS fit this release, and each that does not. */
export function describeRegions({ regions }: Manifest): string[] {
  if (regions === undefined) return [];
  const { checked, confirmed, countryOnly, unknown, mismatches } = regions;
  const told = [
    `${confirmed} of ${checked} regions of global DNS confirmed`,
    `${countryOnly} by their country alone`,
    `${unknown} not known to these tables`,
    `${mismatches.length} do not fit`,
  ];
  const lines = mismatches.map(
    ({ code, subnet, label, expected, found }) =>
      `  region ${code} ${label}, ${subnet}: ${expected} expected, ${found} found`,
  );
  return [told.join(', '), ...lines];
}
