import { html, type Insert, type Markup } from '../../../pipeline/html/markup.js';
import { renderSection } from '../../../pipeline/html/section.js';
import { table } from '../../../pipeline/html/table.js';
import type { SourceVerdict } from '../../lookup/ip-record-schema.js';
import type { AddressFindings } from './address-summary.js';
import { LOOKUP_WORDS, type LookupWords } from './words.js';

/** Renders the verdict of each database beside the answer. Words and signs show agreement, not colour alone. */
export function verdictTable({ record, verdicts, language }: AddressFindings): Markup {
  const words = LOOKUP_WORDS[language];
  const { levels, facts } = words;
  const rows = verdicts.map((verdict): Insert[] => [
    verdict.source,
    ...LEVELS.map((level) => cell(verdict[level], record[level], words)),
    verdict.isp,
  ]);
  return renderSection({
    id: 'verdicts',
    title: words.verdicts,
    body:
      rows.length === 0
        ? html`<p>${words.noVerdicts}</p>`
        : html`<p>${words.verdictNote}</p>
            ${table({
              caption: words.verdictCaption(record.ip),
              columns: [words.source, levels.country, levels.region, levels.city, facts.isp].map((name) => ({
                name,
              })),
              rows,
              isText: true,
            })}`,
  });
}

const LEVELS = ['country', 'region', 'city'] as const satisfies readonly (keyof SourceVerdict)[];

function cell(value: string, answer: string, words: LookupWords): Markup {
  if (value === '') return html`<small>${words.silent}</small>`;
  const isSame = value === answer;
  return html`<span class="${isSame ? 'agrees' : 'differs'}" title="${isSame ? words.agrees : words.differs}"
      >${isSame ? '✓' : '≠'}</span
    >
    ${value}`;
}
