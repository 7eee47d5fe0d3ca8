import type { Markup } from '../../../pipeline/html/markup.js';
import { html } from '../../../pipeline/html/markup.js';
import type { Language } from '../../../pipeline/record/language.js';
import type { Parts } from '../../parts.js';
import type { Snapshot } from '../../release/snapshot.js';
import type { TargetAddress } from '../../targets/target.js';
import type { Assets } from '../assets.js';
import { addressSummary, type AddressFindings, type AddressHeading } from './address-summary.js';
import { compare, type ComparedVerdict } from './agreement.js';
import { jsonLink } from './links.js';
import { routeSection } from './route-section.js';
import { verdictTable } from './verdict-table.js';

/** What a page about an address is made from. */
export interface AddressParts extends Pick<Parts, 'records' | 'reserved'> {
  readonly assets: Assets;
}

/** Renders what the release has about an address: the answer, the verdicts and the route. */
export function addressSections(
  { records, assets, reserved }: AddressParts,
  address: TargetAddress,
  shown: AddressHeading & { readonly snapshot: Snapshot; readonly language: Language },
): Markup {
  const { snapshot, language } = shown;
  const findings: AddressFindings = {
    record: records.recordOf(address, snapshot, language),
    verdicts: comparedVerdicts(records, address, shown),
    databases: [...snapshot.verdicts.keys()],
    place: snapshot.places.get(address.ip),
    language,
  };
  const json = jsonLink(`/api/ip/${address.ip}`, language);
  if (reserved.has(address.ip)) return html`${addressSummary(assets, findings, shown)}${json}`;
  return html`${addressSummary(assets, findings, shown)}${verdictTable(findings)}
  ${routeSection(findings.record, snapshot, language)}${json}`;
}

function comparedVerdicts(
  records: AddressParts['records'],
  address: TargetAddress,
  { snapshot, language }: { readonly snapshot: Snapshot; readonly language: Language },
): ComparedVerdict[] {
  const both = [language, language === 'en' ? 'zh' : 'en'] as const;
  const inBoth = both.map((one) => ({
    answer: records.recordOf(address, snapshot, one),
    verdicts: records.verdictsOf(address, snapshot, one),
  }));
  return inBoth[0]!.verdicts.map((verdict, i) => ({
    ...verdict,
    agreement: compare(inBoth.map(({ answer, verdicts }) => ({ answer, verdict: verdicts[i]! }))),
  }));
}
