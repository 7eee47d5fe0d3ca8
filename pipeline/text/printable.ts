import { shapesText } from './shaping-characters.js';

/**
 * Characters that a terminal interprets or hides: control characters (C0, DEL, C1), format characters (bidirectional
 * controls among them), line and paragraph separators, lone surrogates, noncharacters, and what Unicode lets a display
 * leave out (UAX #44, Default_Ignorable_Code_Point: zero-width characters, fillers, variation selectors, tags). Joiners
 * and variation selectors are safe where they shape the text around them.
 */
const UNSAFE = String.raw`\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}`;
const UNSAFE_IN_LINE = new RegExp(`[${UNSAFE}]`, 'gu');
const UNSAFE_IN_LINES = new RegExp(`(?!\\n)[${UNSAFE}]`, 'gu');

/** Almost all text consists of these characters, and a scan for them is several times faster. */
const MAY_BE_UNSAFE = /[^\n\x20-\x7e]/;

/** Length of a printed line in UTF-16 units, when the caller names none. */
const LINE_LENGTH = 4000;

/**
 * Escapes the unsafe characters of lines of text as `\xNN` or `\u{…}`; keeps line feeds. All output passes through
 * it, so text without unsafe characters is returned unchanged.
 */
export function printable(text: string): string {
  return MAY_BE_UNSAFE.test(text) ? text.replace(UNSAFE_IN_LINES, escaped) : text;
}

/**
 * Escapes the unsafe characters of text from others for one line: a line feed too, which would forge another line.
 * Shortens the text to `most` UTF-16 units, and then appends its length.
 */
export function printableLine(text: string, most = LINE_LENGTH): string {
  // A cut in the middle of a surrogate pair leaves a lone surrogate, which is escaped.
  const kept = text.length > most ? text.slice(0, most) : text;
  const safe = kept.replace(UNSAFE_IN_LINE, escaped);
  return kept.length === text.length ? safe : `${safe}… (${text.length} characters)`;
}

/** Joins lines of a report. A line feed inside a line is text from others, and is escaped. */
export function printableLines(lines: readonly string[]): string {
  return lines.map((line) => printableLine(line)).join('\n');
}

/** A stream that prints text without unsafe characters. */
export interface TextOutput {
  write(text: string): unknown;
}

/** Returns a writer that escapes. Everything except progress bars is printed through it. */
export function printableOutput(stream: TextOutput): TextOutput {
  return { write: (text) => stream.write(printable(text)) };
}

/** Escapes the unsafe characters of JSON text as `\uNNNN`, which every parser reads as the character itself. */
export function printableJson(json: string): string {
  return MAY_BE_UNSAFE.test(json) ? json.replace(UNSAFE_IN_LINES, escapedInJson) : json;
}

function escaped(character: string, at: number, text: string): string {
  if (shapesText(text, at)) return character;
  const code = character.codePointAt(0)!;
  return code <= 0xff ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
}

function escapedInJson(character: string, at: number, text: string): string {
  if (shapesText(text, at)) return character;
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
