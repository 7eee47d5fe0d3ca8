import { html, NOTHING, type Insert, type Markup } from '../../pipeline/html/markup.js';
import type { Language } from '../../pipeline/record/language.js';

/** A name and its value; absent values are left out. */
export type Fact = readonly [name: string, value: Insert];

/** Renders facts as a description list; nothing without any. */
export function facts(all: readonly Fact[]): Markup {
  const known = all.filter(([, value]) => value !== undefined && value !== false && value !== '');
  if (known.length === 0) return NOTHING;
  return html`<dl class="facts">
    ${known.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl> `;
}

/** Renders a list of parts with the commas of the language between; absent if it is empty. */
export function commaList(parts: readonly Markup[], language: Language): Markup | undefined {
  const comma = LIST_COMMA[language];
  return parts.length === 0 ? undefined : html`${parts.map((part, i) => html`${i > 0 && comma}${part}`)}`;
}

/** The comma between the parts of a list. */
export const LIST_COMMA: Readonly<Record<Language, string>> = { en: ', ', zh: '、' };
