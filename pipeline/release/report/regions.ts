import { html } from '../../html/markup.js';
import type { Section } from '../../html/section.js';
import type { ReportSubject } from './subject.js';
import { table } from '../../html/table.js';
import { figure } from '../../html/wording.js';

/** The check of the regions of global DNS against the tables of the release. */
export function regions({ manifest }: ReportSubject): Section | undefined {
  if (manifest.regions === undefined) return undefined;
  const { checked, confirmed, countryOnly, unknown, mismatches } = manifest.regions;
  return {
    id: 'regions',
    title: 'Regions of global DNS',
    body: html`<p>
        Of ${figure(checked)} regions, ${figure(confirmed)} match in country and carrier,
        ${figure(countryOnly)} in country only, and ${figure(unknown)} are unknown to these tables.
      </p>
      ${mismatches.length > 0 && mismatchTable(mismatches)}`,
  };
}

function mismatchTable(mismatches: NonNullable<ReportSubject['manifest']['regions']>['mismatches']) {
  return table({
    caption: 'Regions that do not match',
    columns: [
      { name: 'Code' },
      { name: 'Region' },
      { name: 'Subnet' },
      { name: 'Expected' },
      { name: 'Found' },
    ],
    rows: mismatches.map(({ code, label, subnet, expected, found }) => [
      String(code),
      label,
      subnet,
      expected,
      html`<span class="loss">${found}</span>`,
    ]),
  });
}
