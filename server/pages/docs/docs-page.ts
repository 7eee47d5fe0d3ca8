import { html, NOTHING, type Markup } from '../../../pipeline/html/markup.js';
import type { Language } from '../../../pipeline/record/language.js';
import { localised } from '../layout.js';
import { API_PATH, DOCS_PATH } from './docs-links.js';
import { GUIDE_GROUPS } from './guides.js';
import type { Heading } from './render-markdown.js';
import { DOCS_WORDS } from './words.js';

/** One page of the documentation. */
export interface DocsPage {
  readonly path: string;
  readonly title: string;
  /** The first heading. */
  readonly heading: Markup;
  readonly body: Markup;
  /** Whether heading and body are in English in both languages of the site. */
  readonly isEnglish: boolean;
  readonly headings: readonly Heading[];
  /** The file of a guide. */
  readonly file?: string;
  readonly scripts?: readonly string[];
}

/** A group of endpoints in the navigation. */
export interface NavigationTag {
  readonly name: string;
  readonly path: string;
}

/** Renders the main part of a page: navigation, contents, text. */
export function docsMain(page: DocsPage, tags: readonly NavigationTag[], language: Language): Markup {
  const words = DOCS_WORDS[language];
  const lang = page.isEnglish && html` lang="en"`;
  const note = page.isEnglish && words.inEnglish !== '' && html`<p class="note">${words.inEnglish}</p> `;
  const source =
    page.file !== undefined &&
    html`<p class="note">
      <small>${words.source} <code>${page.file}</code></small>
    </p>`;
  return html`<div class="docs">
    ${navigation(page.path, tags, language)}
    <article>
      ${page.path !== DOCS_PATH && html`<p class="crumbs"><a href="${localised(DOCS_PATH, language)}">${words.docs}</a></p>`}
      <div${lang}>${page.heading}</div>
      ${note}${contents(page.headings, language)}
      <div${lang}>${page.body}</div>
      ${source}
    </article>
  </div>`;
}

function navigation(path: string, tags: readonly NavigationTag[], language: Language): Markup {
  const words = DOCS_WORDS[language];
  const link = (to: string, name: string, lang?: string): Markup =>
    html`<li>
      <a
        href="${localised(to, language)}"
        ${to === path && html`aria-current="page"`}
        ${lang !== undefined && html`lang="${lang}"`}
        >${name}</a
      >
    </li> `;
  const groups = GUIDE_GROUPS.map(
    ({ name, guides }) =>
      html`<p>${name[language]}</p>
        <ul>
          ${guides.map((guide) => link(`/docs/${guide.slug}`, guide.name[language]))}
        </ul> `,
  );
  return html`<nav class="guides" aria-label="${words.docs}">
    <p>API</p>
    <ul>
      ${link(API_PATH, words.api)} ${tags.map(({ name, path: to }) => link(to, name, 'en'))}
    </ul>
    ${groups}
  </nav> `;
}

/** Shorter lists of contents are open. */
const SHORT = 12;

/** Lists the second headings; nothing for a short page. */
function contents(headings: readonly Heading[], language: Language): Markup {
  const seconds = headings.filter(({ depth }) => depth === 2);
  if (seconds.length < 3) return NOTHING;
  return html`<details class="contents" ${seconds.length <= SHORT && html`open="open"`}>
    <summary>${DOCS_WORDS[language].contents}</summary>
    <ul lang="en">
      ${seconds.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li> `)}
    </ul>
  </details> `;
}
