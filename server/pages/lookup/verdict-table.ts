import { html, type Insert, type Markup } from '../../../pipeline/html/markup.js';
import { renderSection } from '../../../pipeline/html/section.js';
import { table } from '../../../pipeline/html/table.js';
import type { AddressFindings } from './address-summary.js';
import { countAgreement, LEVELS, type Agreement, type ComparedVerdict, type Level } from './agreement.js';
import { LOOKUP_WORDS, type LookupWords } from './words.js';

/** Renders the verdict of each database beside the answer. Words and signs show agreement, not colour alone. */
export function verdictTable({ record, verdicts, databases, language }: AddressFindings): Markup {
  const words = LOOKUP_WORDS[language];
  const { levels, facts } = words;
  const rows = databases.map((database) => {
    const verdict = verdicts.find(({ source }) => source === database);
    return verdict === undefined ? absent(database, words) : row(verdict, words);
  });
  const columns = [words.source, levels.country, levels.region, levels.city, facts.isp];
  return renderSection({
    id: 'verdicts',
    title: words.verdicts,
    body:
      verdicts.length === 0
        ? html`<p>${words.noVerdicts}</p>`
        : html`<p>${words.agreement(countAgreement(verdicts))}</p>
            ${table({
              caption: words.verdictCaption(record.ip),
              columns: columns.map((name) => ({ name })),
              rows,
              isText: true,
            })}`,
  });
}

function row(verdict: ComparedVerdict, words: LookupWords): Insert[] {
  return [verdict.source, ...LEVELS.map((level) => cell(level, verdict, words)), verdict.isp];
}

function absent(database: string, { noRecord }: LookupWords): Insert[] {
  return [database, html`<small>${noRecord}</small>`, '', '', ''];
}

function cell(level: Level, verdict: ComparedVerdict, { comparison }: LookupWords): Markup {
  const agreement = verdict.agreement[level];
  const meaning = comparison[agreement];
  if (agreement === 'silent') return html`<small>${meaning}</small>`;
  return html`<span class="${agreement}" title="${meaning}" aria-hidden="true">${SIGNS[agreement]}</span>
    ${verdict[level]} <span class="unseen">(${meaning})</span>`;
}

const SIGNS: Readonly<Record<Exclude<Agreement, 'silent'>, string>> = {
  agrees: '✓',
  differs: '≠',
  further: '+',
};
