import { printable } from '../text/printable.js';

/** Markup that is safe to insert into a page. Only `html` and `css` create it. */
export class Markup {
  readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  /** Template tag. Inserted texts are escaped, markup is inserted unchanged, lists are concatenated. */
  static readonly tag = (pieces: TemplateStringsArray, ...values: readonly Insert[]): Markup =>
    new Markup(pieces.map((piece, i) => piece + (i < values.length ? markupOf(values[i]) : '')).join(''));

  /** Divides markup at a comment in it, for pages that are sent in pieces. Throws if it is not there once. */
  splitAt(comment: string): readonly [Markup, Markup] {
    const [before, after, ...more] = this.text.split(comment);
    if (before === undefined || after === undefined || more.length > 0)
      throw new Error(`not once: ${comment}`);
    return [new Markup(before), new Markup(after)];
  }
}

/** A value that a template accepts. `undefined` and `false` insert nothing. */
export type Insert = Markup | string | number | undefined | false | readonly Insert[];

/** Template tag for HTML. Empty elements are closed (`<br/>`), so XML parsers accept the page. */
export const html = Markup.tag;

/** Template tag for a style sheet. */
export const css = Markup.tag;

/** Empty markup. */
export const NOTHING = html``;

function markupOf(value: Insert): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'object') return value.map(markupOf).join('');
  return escaped(String(value));
}

/**
 * Escapes text for elements and quoted attributes. What could hide or move the text beside it is shown as in a
 * terminal, so a printed page has the same bytes as the published one.
 */
function escaped(text: string): string {
  return printable(text).replace(/[&<>"']/g, (sign) => ENTITIES[sign]!);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
