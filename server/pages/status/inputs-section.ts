import { html, type Insert, type Markup } from '../../../pipeline/html/markup.js';
import { renderSection } from '../../../pipeline/html/section.js';
import { table } from '../../../pipeline/html/table.js';
import type { Language } from '../../../pipeline/record/language.js';
import type { StatusInput } from '../../release/release-status.js';
import { figureIn } from './figures.js';
import { STATUS_WORDS } from './words.js';

/** Renders the sources of a release with their dates and licences. */
export function inputsSection(inputs: readonly StatusInput[], language: Language): Markup {
  const words = STATUS_WORDS[language];
  const rows = inputs.map(({ source, publisher, licence, rows: count, newest, isOlderCopy }): Insert[] => [
    source,
    publisher,
    /^https?:\/\//.test(licence.url)
      ? html`<a href="${licence.url}" rel="noreferrer">${licence.name}</a>`
      : licence.name,
    figureIn(count, language),
    html`${newest?.slice(0, 10)}${isOlderCopy && html` <span class="mark" title="${words.older}">↺ ${words.older}</span>`}`,
  ]);
  return renderSection({
    id: 'inputs',
    title: words.inputs,
    body: html`<p>${words.inputsNote}</p>
      ${table({
        caption: `${words.inputs} (${inputs.length})`,
        columns: [
          { name: words.source },
          { name: words.publisher },
          { name: words.licence },
          { name: words.rows, kind: 'figure' },
          { name: words.date, kind: 'word' },
        ],
        rows,
        isText: true,
      })}`,
  });
}
