import { printable } from '../../text/printable.js';

/** Markup that is safe to insert into a page. Only `html` and `css` create it. */
export class Markup {
  readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  /** Template tag. Inserted texts are escaped, markup is inserted unchanged, lists are concatenated. */
  static readonly tag = (pieces: TemplateStringsArray, ...values: readonly Insert[]): Markup =>
    new Markup(pieces.map((piece, i) => piece + (i < values.length ? markupOf(values[i]) : '')).join(''));
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
 * Escapes text for elements and quoted attributes. Control characters and directional marks are shown by their code
 * points, so a publisher's row cannot hide or move the text beside it.
 */
function escaped(text: string): string {
  const visible = text.toWellFormed().replace(HIDDEN, (mark) => `\\u{${mark.codePointAt(0)!.toString(16)}}`);
  // A page that is printed has the same bytes as the published one.
  return printable(visible).replace(/[&<>"']/g, (sign) => ENTITIES[sign]!);
}

/** Controls but tab and newline, zero-width and directional marks (Unicode Cc, Bidi_Control), and non-characters. */
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
