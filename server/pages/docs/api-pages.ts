import type { Token } from 'marked';
import { html, type Markup } from '../../../pipeline/html/markup.js';
import type { Language } from '../../../pipeline/record/language.js';
import { HEALTH, openApiPage, readinessPage } from '../../http/pages.js';
import { headingSlug } from '../../openapi/markdown-table.js';
import type { Json } from '../../openapi/named-schemas.js';
import { openApiDocument } from '../../openapi/openapi-document.js';
import { renderReference, type ReferenceDocument } from '../../openapi/render-reference.js';
import type { Parts } from '../../parts.js';
import { routesOf } from '../../routes/catalogue.js';
import { localised } from '../layout.js';
import { htmlLanguage } from '../page-language.js';
import { operationsOf, type Operation } from './api-operations.js';
import { API_PATH, linksOf } from './docs-links.js';
import type { DocsPage } from './docs-page.js';
import { blocksOf, MarkdownRenderer, plainText } from './render-markdown.js';
import { samplesOf } from './samples.js';
import { tryForm } from './try-form.js';
import { DOCS_WORDS } from './words.js';

/** The API reference: `server/api.md` as pages, with samples and forms. */
export interface ApiReference {
  readonly tags: readonly ApiTag[];
  readonly operations: readonly Operation[];
  /** Blocks of `server/api.md` outside the endpoints. */
  readonly general: readonly Token[];
  /** The page of each anchor of `server/api.md`. */
  readonly pathOf: (anchor: string) => string;
}

/** A group of endpoints. */
export interface ApiTag {
  readonly name: string;
  readonly path: string;
  readonly description: string;
  readonly blocks: readonly Token[];
}

/** Reads the reference from the routes. */
export function readReference(): ApiReference {
  const document = documentOfRoutes();
  const descriptions = document['tags'] as readonly { readonly name: string; readonly description: string }[];
  const general: Token[] = [];
  const tags: (ApiTag & { readonly blocks: Token[] })[] = [];
  const paths = new Map<string, string>();
  let section = general;
  let path = API_PATH;
  for (const token of blocksOf(renderReference(document as unknown as ReferenceDocument))) {
    if (token.type === 'heading') {
      const name = plainText(token.tokens);
      const tag = token['depth'] === 2 ? descriptions.find((one) => one.name === name) : undefined;
      if (tag !== undefined) {
        path = `${API_PATH}/${headingSlug(name)}`;
        section = [];
        tags.push({ ...tag, path, blocks: section });
      } else if (token['depth'] === 2) {
        section = general;
        path = API_PATH;
      }
      paths.set(headingSlug(name), path);
    }
    section.push(token);
  }
  return {
    tags,
    general,
    operations: operationsOf(document),
    pathOf: (anchor) => paths.get(anchor) ?? API_PATH,
  };
}

/** Routes and pages use their parts only when they answer. */
function documentOfRoutes(): Json {
  const readiness = readinessPage(() => ({
    ...{ isDraining: false, release: undefined, refused: undefined, isRedisUp: true },
  }));
  return openApiDocument(routesOf({} as Parts), [HEALTH, readiness, openApiPage(() => '')]);
}

/** Renders the page with what all endpoints have in common. */
export function generalPage(reference: ApiReference, language: Language): DocsPage {
  const words = DOCS_WORDS[language];
  const renderer = rendererFor(reference, language);
  // The file begins with a comment.
  const at = reference.general.findIndex(({ type }) => type === 'heading');
  const [title, ...blocks] = reference.general.slice(at);
  const heading = renderer.blocks([title!]);
  const tags = reference.tags.map(
    ({ name, path, description }) =>
      html`<li>
        <a href="${localised(path, language)}"><strong>${name}</strong></a>
        ${renderer.inline(blocksInline(description))}
      </li>`,
  );
  const body = html`<p lang="${htmlLanguage(language)}">
      ${words.apiLead} ${words.openapi} <a href="/openapi.json">/openapi.json</a>
    </p>
    <ul class="guide-list">
      ${tags}
    </ul>
    ${renderer.blocks(blocks)}`;
  return {
    path: API_PATH,
    title: words.api,
    heading,
    body,
    isEnglish: true,
    headings: renderer.headings,
    scripts: ['try-it.js', 'copy-code.js'],
  };
}

/** Renders the page of a group of endpoints. */
export function tagPage(reference: ApiReference, tag: ApiTag, language: Language): DocsPage {
  const renderer = rendererFor(reference, language, 1);
  const [title, ...blocks] = tag.blocks;
  const heading = renderer.blocks([title!]);
  const head = html`<p>${renderer.inline(blocksInline(tag.description))}</p> `;
  const endpoints = splitAt(blocks, 3).map((own) => endpoint(reference, own, { renderer, language }));
  return {
    path: tag.path,
    title: `${tag.name} · API`,
    heading,
    body: html`${head}${endpoints}`,
    isEnglish: true,
    headings: renderer.headings,
    scripts: ['try-it.js', 'copy-code.js'],
  };
}

/** The sample of `server/api.md` is replaced by those in all languages. */
function endpoint(
  { operations }: ApiReference,
  blocks: readonly Token[],
  { renderer, language }: { readonly renderer: MarkdownRenderer; readonly language: Language },
): Markup {
  const title = plainText(blocks[0]?.type === 'heading' ? blocks[0].tokens : []);
  const operation = operations.find(({ method, path }) => `${method} ${path}` === title);
  if (operation === undefined) throw new Error(`no operation ${title}`);
  const at = blocks.findIndex(({ type, ...code }) => type === 'code' && 'lang' in code && code.lang === 'sh');
  const before = at < 0 ? blocks : blocks.slice(0, at);
  const after = at < 0 ? [] : blocks.slice(at + 1);
  return html`<div class="endpoint">
    ${renderer.blocks(before)} ${failuresOf(operation, language)}
    ${samples(operation, { renderer, language })} ${renderer.blocks(after)} ${tryForm(operation, language)}
  </div> `;
}

function failuresOf({ generalFailures }: Operation, language: Language): Markup {
  const link = `${localised(API_PATH, language)}#errors`;
  return html`<p lang="${htmlLanguage(language)}">
    ${DOCS_WORDS[language].generalErrors} <a href="${link}">${generalFailures.join(', ')}</a>
  </p> `;
}

function samples(
  operation: Operation,
  { renderer, language }: { readonly renderer: MarkdownRenderer; readonly language: Language },
): Markup {
  const blocks = samplesOf(operation).map(
    ({ language: name, code }, i) =>
      html`<details name="${operation.operationId}" ${i === 0 && html`open="open"`}>
        <summary>${name}</summary>
        ${renderer.code(code)}
      </details> `,
  );
  return html`<div
    class="samples"
    role="group"
    lang="${htmlLanguage(language)}"
    aria-label="${DOCS_WORDS[language].samples}"
  >
    ${blocks}
  </div> `;
}

function rendererFor({ pathOf }: ApiReference, language: Language, raisedBy = 0): MarkdownRenderer {
  const { table, copy, copied } = DOCS_WORDS[language];
  return new MarkdownRenderer({
    ...{ linkOf: linksOf('server/api.md', language, pathOf), tableName: table, copy, copied, raisedBy },
  });
}

function blocksInline(text: string): readonly Token[] {
  const [block] = blocksOf(text);
  return block?.type === 'paragraph' ? (block.tokens ?? []) : [];
}

/** Splits blocks before each heading of a depth. Blocks before the first one are dropped. */
function splitAt(blocks: readonly Token[], depth: number): readonly (readonly Token[])[] {
  const parts: Token[][] = [];
  for (const token of blocks) {
    if (token.type === 'heading' && token['depth'] === depth) parts.push([]);
    parts.at(-1)?.push(token);
  }
  return parts;
}
