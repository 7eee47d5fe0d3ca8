import type { OpenFile } from '../feeds/feed.js';
import type { ListSink } from './list.js';
import { readRawLines } from './raw-lines.js';

/**
 * Reads a text with an entry per line: `visit` gets each line without a comment (from `#` or `;` at its beginning or
 * behind white space), spaces around it and U+200B; empty ones are passed over. A line that is not UTF-8 is rejected.
 * A missing line end at the end is fine. Throws what `readRawLines` throws, and what `visit` throws.
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
