/** Markup that is safe to put into a page: made by `html`, and by nothing else. */
export class Markup {
  readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  /** Template tag. Every text between the pieces is escaped; markup stands as it is, lists are put one after another. */
  static readonly tag = (pieces: TemplateStringsArray, ...values: readonly Insert[]): Markup =>
    new Markup(pieces.map((piece, i) => piece + (i < values.length ? markupOf(values[i]) : '')).join(''));
}

/** What a template takes. Absent and `false` leave nothing. */
export type Insert = Markup | string | number | undefined | false | readonly Insert[];

/** Template tag of markup in which empty elements are closed (`<br/>`), so that parsers of XML read it too. */
export const html = Markup.tag;

/** The same for a style sheet. */
export const css = Markup.tag;

/** Nothing. */
export const NOTHING = html``;

function markupOf(value: Insert): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'object') return value.map(markupOf).join('');
  return escaped(String(value));
}

/**
 * Text for elements and quoted attributes. Controls, and marks that turn the direction of text, are shown by their
 * numbers: a row that some publisher wrote must not hide or move what stands beside it.
 */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(HIDDEN, (mark) => `\\u{${mark.codePointAt(0)!.toString(16)}}`)
    .replace(/[&<>"']/g, (sign) => ENTITIES[sign]!);
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
