import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Token, Tokens } from 'marked';
import { html } from '../../../pipeline/html/markup.js';
import type { Language } from '../../../pipeline/record/language.js';
import { localised } from '../layout.js';
import type { ApiReference } from './api-pages.js';
import { API_PATH, DOCS_PATH, linksOf } from './docs-links.js';
import type { DocsPage } from './docs-page.js';
import { GUIDE_GROUPS, type Guide } from './guides.js';
import { blocksOf, MarkdownRenderer } from './render-markdown.js';
import { DOCS_WORDS } from './words.js';

/** The root of the repository; this file is compiled to `dist/server/pages/docs`. */
const ROOT = join(import.meta.dirname, '../../../..');

/** Renders a guide from its file. Throws if the file does not begin with a heading. */
export function guidePage(
  { slug, file, name }: Guide,
  { pathOf }: Pick<ApiReference, 'pathOf'>,
  language: Language,
): DocsPage {
  const { table, copy, copied } = DOCS_WORDS[language];
  const renderer = new MarkdownRenderer({
    ...{ linkOf: linksOf(file, language, pathOf), tableName: table, copy, copied },
  });
  const [first, ...blocks] = blocksOf(readFileSync(join(ROOT, file), 'utf8'));
  if (first?.type !== 'heading') throw new Error(`${file} does not begin with a heading`);
  return {
    path: `${DOCS_PATH}/${slug}`,
    title: name[language],
    heading: renderer.blocks([first]),
    body: renderer.blocks(blocks.filter((block) => !isContents(block))),
    isEnglish: true,
    headings: renderer.headings,
    file,
    scripts: ['copy-code.js'],
  };
}

/** Returns whether a block is a list of links to headings: the page has a list of its own. */
function isContents(block: Token): boolean {
  if (block.type !== 'list') return false;
  return (block as Tokens.List).items.every(({ text }) => /^\[[^\]]*\]\(#[^)]*\)$/.test(text));
}

/** Renders the list of all guides and of the API reference. */
export function indexPage({ tags }: Pick<ApiReference, 'tags'>, language: Language): DocsPage {
  const words = DOCS_WORDS[language];
  const groups = GUIDE_GROUPS.map(
    ({ name, guides }) =>
      html`<section>
        <h2>${name[language]}</h2>
        <ul class="guide-list">
          ${guides.map(
            ({ slug, name, purpose }) =>
              html`<li>
                <a href="${localised(`${DOCS_PATH}/${slug}`, language)}">${name[language]}</a>
                <small>${purpose[language]}</small>
              </li> `,
          )}
        </ul>
      </section> `,
  );
  const links = tags.map(
    ({ name, path }) => html`<li><a href="${localised(path, language)}" lang="en">${name}</a></li> `,
  );
  const body = html`<p class="lead">${words.lead} ${words.inEnglish}</p>
    <section>
      <h2><a href="${localised(API_PATH, language)}">${words.api}</a></h2>
      <p>${words.apiLead}</p>
      <ul class="tags">
        ${links}
      </ul>
      <p>${words.openapi} <a href="/openapi.json">/openapi.json</a></p>
    </section>
    ${groups}`;
  return {
    path: DOCS_PATH,
    title: words.docs,
    heading: html`<h1>${words.docs}</h1>`,
    body,
    isEnglish: false,
    headings: [],
  };
}
