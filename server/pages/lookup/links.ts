import { html, type Markup } from '../../../pipeline/html/markup.js';
import type { Language } from '../../../pipeline/record/language.js';
import { localised } from '../layout.js';

/** Returns the path of the page about a target. */
export function lookupPath(target: string): string {
  return `/lookup/${target.split('/').map(encodeURIComponent).join('/')}`;
}

/** Links to the page about a target. */
export function lookupLink(target: string, language: Language): Markup {
  return html`<a href="${localised(lookupPath(target), language)}">${target}</a>`;
}

/** Links to the page of an AS, with its name. */
export function asLink(asn: number, name: string | undefined, language: Language): Markup {
  const label = name === undefined || name === '' ? undefined : ` ${name}`;
  return html`${lookupLink(`AS${asn}`, language)}${label}`;
}
