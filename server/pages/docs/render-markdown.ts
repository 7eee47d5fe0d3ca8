import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { html, NOTHING, type Insert, type Markup } from '../../../pipeline/html/markup.js';
import { headingSlug } from '../../openapi/markdown-table.js';

/** A heading of a rendered text. */
export interface Heading {
  /** 1-6, as shown. */
  readonly depth: number;
  readonly id: string;
  readonly text: string;
}

/** How a text is rendered. */
export interface MarkdownFrame {
  /** Returns where a link leads on the site; undefined for files that are not shown: the link becomes text. */
  readonly linkOf: (href: string) => string | undefined;
  /** Returns the name of a table for screen readers. */
  readonly tableName: (number: number, heading: string) => string;
  readonly copy: string;
  readonly copied: string;
  /** How many levels headings move up: 1 makes `##` a first heading. */
  readonly raisedBy?: number;
}

/** Splits Markdown into blocks. */
export function blocksOf(markdown: string): readonly Token[] {
  return Lexer.lex(markdown, { gfm: true });
}

/**
 * Renders Markdown as markup, block by block. The only HTML that a text may contain is a comment or an anchor (`<a
 * id="decision-1"></a>`); throws for any other.
 */
export class MarkdownRenderer {
  readonly headings: Heading[] = [];
  readonly #frame: MarkdownFrame;
  readonly #ids = new Map<string, number>();
  #tables = 0;

  constructor(frame: MarkdownFrame) {
    this.#frame = frame;
  }

  blocks(tokens: readonly Token[]): Markup {
    return html`${tokens.map((token) => this.#block(token as MarkedToken))}`;
  }

  inline(tokens: readonly Token[] | undefined): Markup {
    return html`${(tokens ?? []).map((token) => this.#inline(token as MarkedToken))}`;
  }

  #block(token: MarkedToken): Markup {
    switch (token.type) {
      case 'heading':
        return this.#heading(token);
      case 'paragraph':
        if (hasOnlyPictures(token)) return NOTHING;
        return isOnlyHtml(token) ? this.inline(token.tokens) : html`<p>${this.inline(token.tokens)}</p> `;
      case 'code':
        return this.code(token.text);
      case 'list':
        return this.#list(token);
      case 'table':
        return this.#table(token);
      case 'blockquote':
        return html`<blockquote>${this.blocks(token.tokens)}</blockquote> `;
      case 'hr':
        return html`<hr /> `;
      case 'text':
        return token.tokens === undefined ? html`${token.text}` : this.inline(token.tokens);
      case 'html':
        return anchorOf(token.text);
      case 'space':
      case 'def':
        return NOTHING;
      default:
        throw new Error(`cannot render Markdown of type ${token.type}: ${token.raw.slice(0, 80)}`);
    }
  }

  /** Renders a block of code that a script can copy. */
  code(text: string): Markup {
    const { copy, copied } = this.#frame;
    return html`<pre tabindex="0" data-copy="${copy}" data-copied="${copied}"><code>${text}</code></pre> `;
  }

  #heading({ depth, tokens }: Tokens.Heading): Markup {
    const level = Math.max(1, depth - (this.#frame.raisedBy ?? 0));
    const text = plainText(tokens);
    const id = this.#idFor(text);
    this.headings.push({ depth: level, id, text });
    this.#tables = 0;
    const content = this.inline(tokens);
    const hasLink = tokens.some(({ type }) => type === 'link');
    const linked = hasLink ? content : html`<a href="#${id}">${content}</a>`;
    return HEADINGS[level - 1]!(id, level === 1 ? content : linked);
  }

  /** A second heading with the same text gets a number, as on GitHub. */
  #idFor(text: string): string {
    const slug = headingSlug(text);
    const seen = this.#ids.get(slug) ?? 0;
    this.#ids.set(slug, seen + 1);
    return seen === 0 ? slug : `${slug}-${seen}`;
  }

  #list({ ordered, items }: Tokens.List): Markup {
    const rows = items.map(({ tokens }) => html`<li>${this.blocks(tokens)}</li> `);
    return ordered
      ? html`<ol>
          ${rows}
        </ol> `
      : html`<ul>
          ${rows}
        </ul> `;
  }

  #table({ header, rows }: Tokens.Table): Markup {
    const heading = this.headings.at(-1)?.text ?? '';
    const name = this.#frame.tableName(++this.#tables, heading);
    const head = header.map(({ tokens }) => html`<th scope="col">${this.inline(tokens)}</th>`);
    const body = rows.map(
      (cells) =>
        html`<tr>
          ${cells.map(({ tokens }, i) => this.#cell(tokens, header[i]!, i === 0))}
        </tr> `,
    );
    return html`<div class="scroll" role="region" aria-label="${name}" tabindex="0">
      <table class="text">
        <thead>
          <tr>
            ${head}
          </tr>
        </thead>
        <tbody>
          ${body}
        </tbody>
      </table>
    </div> `;
  }

  #cell(tokens: readonly Token[], { tokens: name }: Tokens.TableCell, isFirst: boolean): Markup {
    const content = this.inline(tokens);
    return isFirst
      ? html`<th scope="row">${content}</th>`
      : html`<td data-name="${plainText(name)}">${content}</td>`;
  }

  #inline(token: MarkedToken): Markup {
    switch (token.type) {
      case 'text':
      case 'escape':
        return html`${token.text}`;
      case 'codespan':
        return html`<code>${token.text}</code>`;
      case 'strong':
        return html`<strong>${this.inline(token.tokens)}</strong>`;
      case 'em':
        return html`<em>${this.inline(token.tokens)}</em>`;
      case 'br':
        return html`<br />`;
      case 'image':
        // Pictures in a text are not on the site; their description is.
        return html`<em>${token.text}</em>`;
      case 'link':
        return this.#link(token);
      case 'html':
        return anchorOf(token.text);
      default:
        throw new Error(`cannot render Markdown of type ${token.type}: ${token.raw.slice(0, 80)}`);
    }
  }

  #link({ href, tokens }: Tokens.Link): Markup {
    const to = this.#frame.linkOf(href);
    const content = this.inline(tokens);
    return to === undefined ? content : html`<a href="${to}">${content}</a>`;
  }
}

const HEADINGS: readonly ((id: string, content: Insert) => Markup)[] = [
  (id, content) => html`<h1 id="${id}">${content}</h1> `,
  (id, content) => html`<h2 id="${id}">${content}</h2> `,
  (id, content) => html`<h3 id="${id}">${content}</h3> `,
  (id, content) => html`<h4 id="${id}">${content}</h4> `,
  (id, content) => html`<h5 id="${id}">${content}</h5> `,
  (id, content) => html`<h6 id="${id}">${content}</h6> `,
];

function isOnlyHtml({ tokens }: Tokens.Paragraph): boolean {
  return tokens.every(({ type }) => type === 'html');
}

/** Pictures are too large for the site. */
function hasOnlyPictures({ tokens }: Tokens.Paragraph): boolean {
  return tokens.every(({ type, raw }) => type === 'image' || (type === 'text' && raw.trim() === ''));
}

function anchorOf(text: string): Markup {
  const id = /^<a id="([\w-]+)">/.exec(text)?.[1];
  if (id !== undefined) return html`<span id="${id}"></span>`;
  if (text === '</a>' || text.startsWith('<!--')) return NOTHING;
  throw new Error(`HTML in Markdown: ${text.slice(0, 80)}`);
}

/** Returns the text of tokens without their marks. */
export function plainText(tokens: readonly Token[] = []): string {
  return tokens.map((token) => textOf(token as MarkedToken)).join('');
}

function textOf(token: MarkedToken): string {
  const { tokens } = token as { readonly tokens?: readonly Token[] };
  if (tokens !== undefined) return plainText(tokens);
  return 'text' in token ? token.text : '';
}
