import { html, type Markup } from '../../../pipeline/html/markup.js';
import type { Language } from '../../../pipeline/record/language.js';
import { VANTAGE_POINTS } from '../../../pipeline/vantage-points/catalogue.js';
import type { GlobalDns } from '../../global-dns/global-dns.js';
import type { GlobalQuestion } from '../../global-dns/global-question.js';
import { GLOBAL_DNS_WORDS } from './words.js';

const TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT', 'HTTPS', 'CAA', 'SOA'];

/** The question that fills the form. */
export interface ShownQuestion extends Pick<GlobalQuestion, 'name' | 'type' | 'resolver'> {
  /** The resolver as its parameter. */
  readonly index: string | undefined;
}

/** Renders the heading and the form, filled with the question of the page. */
export function questionForm(
  { resolvers }: Pick<GlobalDns, 'resolvers'>,
  language: Language,
  asked?: ShownQuestion,
): Markup {
  const words = GLOBAL_DNS_WORDS[language];
  const heading = asked ? words.answersOf(asked.name!, asked.type, asked.resolver!.name) : words.title;
  const types = TYPES.map((type) => option(type, type, type === asked?.type));
  const names = resolvers.map(({ name }, i) => option(String(i), name, String(i) === asked?.index));
  return html`<section aria-labelledby="global-dns">
    <h1 id="global-dns">${heading}</h1>
    <p>${words.lead(VANTAGE_POINTS.length)}</p>
    <form class="question" action="/global-dns/answers">
      <input type="hidden" name="lang" value="${language}" />
      <label>${words.name}${nameField(asked?.name)}</label>
      <label
        >${words.type}<select name="type">
          ${types}
        </select></label
      >
      <label
        >${words.resolver}<select name="resolver">
          ${names}
        </select></label
      >
      <button>${words.ask}</button>
    </form>
  </section> `;
}

function nameField(value = ''): Markup {
  return html`<input
    name="name"
    required="required"
    maxlength="253"
    autocapitalize="none"
    spellcheck="false"
    value="${value}"
  />`;
}

function option(value: string, label: string, isChosen: boolean): Markup {
  return html`<option value="${value}" ${isChosen && html` selected="selected"`}>${label}</option>`;
}
