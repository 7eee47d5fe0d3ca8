import { html, type Insert, type Markup } from '../../pipeline/html/markup.js';
import type { Language } from '../../pipeline/record/language.js';
import type { Assets } from './assets.js';
import { htmlLanguage } from './page-language.js';
import { WORDS } from './words.js';

/** One page of the site. */
export interface PageContent {
  readonly title: string;
  readonly language: Language;
  /** Its path with its query but without `lang`, for the link to the other language. */
  readonly path: string;
  readonly main: Insert;
  /** Names of scripts; the page must be useful without them. */
  readonly scripts?: readonly string[];
}

/** Renders a whole page. */
export function renderPage(assets: Assets, content: PageContent): string {
  const { top, bottom } = frameOf(assets, content);
  return `${top}${html`${content.main}`.text}${bottom}`;
}

/** Returns the text before and after the main part, for pages that are sent in pieces. */
export function frameOf(
  assets: Assets,
  { title, language, path, scripts = [] }: Omit<PageContent, 'main'>,
): { readonly top: string; readonly bottom: string } {
  const words = WORDS[language].site;
  const whole = html`<!doctype html>
    <html lang="${htmlLanguage(language)}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · ipatlas</title>
        <link rel="icon" href="${assets.pathOf('icon.svg')}" />
        <link rel="stylesheet" href="${assets.pathOf('style.css')}" />
        ${scripts.map((name) => html`<script type="module" src="${assets.pathOf(name)}"></script>`)}
      </head>
      <body>
        <a class="skip" href="#main">${words.skip}</a>
        <header class="site">
          <a class="brand" href="${localised('/', language)}">ipatlas</a>
          ${searchForm(language)} ${navigation(language, path)}
        </header>
        <main id="main">${CUT}</main>
        <footer class="site"><p>${words.footer}</p></footer>
      </body>
    </html> `.text;
  const [top, bottom] = whole.split(CUT.text);
  return { top: top!, bottom: bottom! };
}

/** Where the main part goes. Texts in a page are escaped, so they cannot contain it. */
const CUT = html`<!-- main -->`;

/** Returns a path of the site in a language. */
export function localised(path: string, language: Language): string {
  return `${path}${path.includes('?') ? '&' : '?'}lang=${language}`;
}

/** The box for any address, prefix, AS number or name. Works without scripts. */
function searchForm(language: Language): Markup {
  const { search } = WORDS[language].site;
  return html`<form class="search" action="/lookup" role="search">
    <input type="hidden" name="lang" value="${language}" />
    <input
      name="q"
      type="search"
      required="required"
      maxlength="253"
      aria-label="${search.label}"
      placeholder="${search.placeholder}"
      autocapitalize="none"
      autocomplete="off"
      spellcheck="false"
    />
    <button>${search.button}</button>
  </form>`;
}

function navigation(language: Language, path: string): Markup {
  const { nav } = WORDS[language].site;
  const other = language === 'zh' ? 'en' : 'zh';
  const links = [
    ['/global-dns', nav.globalDns],
    ['/status', nav.status],
    ['/docs', nav.docs],
  ] as const;
  const current = (to: string) => (path === to || path.startsWith(`${to}/`)) && html` aria-current="page"`;
  return html`<nav aria-label="${nav.label}">
    <ul>
      ${links.map(([to, name]) => html`<li><a href="${localised(to, language)}" ${current(to)}>${name}</a></li>`)}
      <li>
        <a href="${localised(path, other)}" lang="${htmlLanguage(other)}" rel="alternate"
          >${other === 'zh' ? '中文' : 'English'}</a
        >
      </li>
    </ul>
  </nav>`;
}
