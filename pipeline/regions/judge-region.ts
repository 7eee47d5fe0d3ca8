import { carrierNames, provinceOf } from './region-carriers.js';
import type { Region } from './regions.js';

/** What our own tables say of an address; absent is unknown. */
export interface AddressEvidence {
  /** ISO 3166-1 alpha-2. */
  readonly country?: string | undefined;
  /** ISO 3166-2 after the hyphen. */
  readonly subdivision?: string | undefined;
  /** English name. */
  readonly isp?: string | undefined;
}

/** What becomes of a region that is held against the tables. */
export type RegionVerdict =
  /** Country and carrier are what the table of regions says. */
  | { readonly kind: 'confirmed' }
  /** The country is right, whose network it is nobody knows. */
  | { readonly kind: 'country only' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'mismatch'; readonly expected: string; readonly found: string };

/** Judges a region by some addresses of its subnet: what contradicts outweighs what confirms. */
export function judgeRegion(region: Region, evidence: readonly AddressEvidence[]): RegionVerdict {
  const verdicts = evidence.map((address) => judgeAddress(region, address));
  for (const kind of ['mismatch', 'confirmed', 'country only'] as const) {
    const verdict = verdicts.find((each) => each.kind === kind);
    if (verdict) return verdict;
  }
  return { kind: 'unknown' };
}

function judgeAddress(region: Region, { country, subdivision, isp }: AddressEvidence): RegionVerdict {
  const province = provinceOf(region);
  if (country !== undefined && country !== region.flag) return mismatch(region.flag, country);
  if (province !== undefined && subdivision !== undefined && subdivision !== province) {
    return mismatch(`${region.flag}-${province}`, `${region.flag}-${subdivision}`);
  }
  const names = carrierNames(region);
  if (isp !== undefined && !names.some((name) => isp.toLowerCase().startsWith(name))) {
    return mismatch(region.label.en, isp);
  }
  if (country === undefined) return { kind: 'unknown' };
  return { kind: isp === undefined ? 'country only' : 'confirmed' };
}

function mismatch(expected: string, found: string): RegionVerdict {
  return { kind: 'mismatch', expected, found };
}
