import type { OpenFile } from '../input/published-source.js';
import type { ListSink } from './list.js';
import { readRawLines } from './raw-lines.js';

/**
 * Reads a text with one entry per line. `visit` receives each line without its comment (from `#` or `;` at the
 * beginning or after white space), surrounding spaces and U+200B. Skips empty lines. Lines that are not UTF-8 are
 * rejected. Throws the errors of `readRawLines` and of `visit`.
 */
export async function readTextLines(
  file: OpenFile,
  sink: Pick<ListSink, 'reject'>,
  visit: (text: string, line: number) => void,
): Promise<void> {
  await readRawLines(file, sink, (raw, line) => {
    const text = raw.replace(ZERO_WIDTH, '').replace(COMMENT, '').trim();
    if (text !== '') visit(text, line);
  });
}

const ZERO_WIDTH = /\u200b/gu;
const COMMENT = /(?:^|\s)[#;].*$/u;
