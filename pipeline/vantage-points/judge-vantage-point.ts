import { carrierNames, provinceOf } from './carriers.js';
import type { VantagePoint } from './catalogue.js';

/** The data of the compiled tables for one address. An absent field is unknown. */
export interface AddressEvidence {
  /** ISO 3166-1 alpha-2. */
  readonly country?: string | undefined;
  /** ISO 3166-2 after the hyphen. */
  readonly subdivision?: string | undefined;
  /** English name. */
  readonly isp?: string | undefined;
}

/** The result of comparing a vantage point with the compiled tables. */
export type VantagePointJudgement =
  /** Country and carrier match the catalogue. */
  | { readonly kind: 'confirmed' }
  /** The country matches. The tables do not name the network's carrier. */
  | { readonly kind: 'country only' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'mismatch'; readonly expected: string; readonly found: string };

/** Judges a vantage point by sample addresses of its subnet. One contradiction outweighs any confirmation. */
export function judgeVantagePoint(
  vantagePoint: VantagePoint,
  evidence: readonly AddressEvidence[],
): VantagePointJudgement {
  const judgements = evidence.map((address) => judgeAddress(vantagePoint, address));
  for (const kind of ['mismatch', 'confirmed', 'country only'] as const) {
    const judgement = judgements.find((each) => each.kind === kind);
    if (judgement) return judgement;
  }
  return { kind: 'unknown' };
}

function judgeAddress(
  vantagePoint: VantagePoint,
  { country, subdivision, isp }: AddressEvidence,
): VantagePointJudgement {
  const province = provinceOf(vantagePoint);
  if (country !== undefined && country !== vantagePoint.flag) return mismatch(vantagePoint.flag, country);
  if (province !== undefined && subdivision !== undefined && subdivision !== province) {
    return mismatch(`${vantagePoint.flag}-${province}`, `${vantagePoint.flag}-${subdivision}`);
  }
  const names = carrierNames(vantagePoint);
  if (isp !== undefined && !names.some((name) => isp.toLowerCase().startsWith(name))) {
    return mismatch(vantagePoint.label.en, isp);
  }
  if (country === undefined) return { kind: 'unknown' };
  return { kind: isp === undefined ? 'country only' : 'confirmed' };
}

function mismatch(expected: string, found: string): VantagePointJudgement {
  return { kind: 'mismatch', expected, found };
}
