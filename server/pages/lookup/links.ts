import { html, type Markup } from '../../../pipeline/html/markup.js';
import type { Language } from '../../../pipeline/record/language.js';
import { commaList } from '../facts.js';
import { localised } from '../layout.js';
import { LOOKUP_WORDS } from './words.js';

/** Returns the path of the page about a target. */
export function lookupPath(target: string): string {
  return `/lookup/${target.split('/').map(encodeURIComponent).join('/')}`;
}

/** Links to the page about a target. */
export function lookupLink(target: string, language: Language): Markup {
  return html`<a href="${localised(lookupPath(target), language)}">${target}</a>`;
}

/** Links to the page of an AS, with its name if that says more than the number. */
export function asLink(asn: number, name: string | undefined, language: Language): Markup {
  const number = `AS${asn}`;
  const label = name === undefined || name === '' || name === number ? undefined : ` ${name}`;
  return html`${lookupLink(number, language)}${label}`;
}

/** Lists the first parts, and says how many are left out; absent without any. */
export function shortList(all: readonly Markup[], most: number, language: Language): Markup | undefined {
  const more = all.length - most;
  const { more: left } = LOOKUP_WORDS[language];
  return commaList(more > 0 ? [...all.slice(0, most), html`${left(more)}`] : all, language);
}

/** Links to the answer of the API. */
export function jsonLink(path: string, language: Language): Markup {
  return html`<p class="json">
    ${LOOKUP_WORDS[language].asJson} <a href="${localised(path, language)}"><code>${path}</code></a>
  </p> `;
}
