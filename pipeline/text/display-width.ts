import { eastAsianWidth } from 'get-east-asian-width';

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;
const MARK = /^\p{M}/u;
// TypeScript allows the flag v in a literal only for target es2024.
const EMOJI = new RegExp('^\\p{RGI_Emoji}$', 'v');

const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Returns the number of terminal columns of printable text. A cluster is as wide as its first character: two columns
 * for wide and fullwidth characters (UAX #11), one for others, ambiguous ones included. Emoji have two columns, and
 * marks without a base have none.
 */
export function displayWidth(text: string): number {
  if (PRINTABLE_ASCII.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of clusters.segment(text)) columns += clusterWidth(segment);
  return columns;
}

/** Appends spaces until the text has a width in columns. */
export function padRight(text: string, columns: number): string {
  return text + padding(text, columns);
}

/** Puts spaces in front until the text has a width in columns. */
export function padLeft(text: string, columns: number): string {
  return padding(text, columns) + text;
}

function clusterWidth(cluster: string): number {
  if (EMOJI.test(cluster)) return 2;
  return MARK.test(cluster) ? 0 : eastAsianWidth(cluster.codePointAt(0)!);
}

function padding(text: string, columns: number): string {
  return ' '.repeat(Math.max(0, columns - displayWidth(text)));
}
