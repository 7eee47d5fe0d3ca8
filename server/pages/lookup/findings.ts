import type { Markup } from '../../../pipeline/html/markup.js';
import { html } from '../../../pipeline/html/markup.js';
import type { Language } from '../../../pipeline/record/language.js';
import type { Parts } from '../../parts.js';
import type { Snapshot } from '../../release/snapshot.js';
import type { TargetAddress } from '../../targets/target.js';
import type { Assets } from '../assets.js';
import { localised } from '../layout.js';
import { addressSummary, type AddressFindings, type AddressHeading } from './address-summary.js';
import { routeSection } from './route-section.js';
import { verdictTable } from './verdict-table.js';
import { LOOKUP_WORDS } from './words.js';

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
    verdicts: records.verdictsOf(address, snapshot, language),
    place: snapshot.places.get(address.ip),
    language,
  };
  const json = jsonLink(`/api/ip/${address.ip}`, language);
  if (reserved.has(address.ip)) return html`${addressSummary(assets, findings, shown)}${json}`;
  return html`${addressSummary(assets, findings, shown)}${verdictTable(findings)}
  ${routeSection(findings.record.bgp, snapshot.routes.get(address.ip), language)}${json}`;
}

/** Links to the answer of the API. */
function jsonLink(path: string, language: Language): Markup {
  return html`<p class="json">
    ${LOOKUP_WORDS[language].asJson} <a href="${localised(path, language)}"><code>${path}</code></a>
  </p> `;
}
