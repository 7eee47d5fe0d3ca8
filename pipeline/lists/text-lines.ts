import { readCsvRows } from '../feeds/csv-rows.js';
import type { OpenFile } from '../feeds/feed.js';
import { readUnpacked } from '../feeds/unpacked-file.js';
import type { ListSink } from './list.js';

/**
 * Reads a text with an entry per line: `visit` gets each line without a comment (from `#` or `;` at its beginning or
 * behind white space), spaces around it and U+200B; empty ones are passed over. A line that is not UTF-8 is rejected.
 * A missing line end at the end is fine. Throws FeedError `container` for an HTML page or another container, and
 * what `visit` throws.
 */
export async function readTextLines(
  file: OpenFile,
  sink: Pick<ListSink, 'reject'>,
  visit: (text: string, line: number) => void,
): Promise<void> {
  // No line of these lists has this character: each row is one field.
  const dialect = { delimiter: '|', quote: false } as const;
  await readCsvRows(file, readUnpacked(file), dialect, {
    row: (fields, line) => {
      const text = fields.join('|').replace(ZERO_WIDTH, '').replace(COMMENT, '').trim();
      if (text !== '') visit(text, line);
    },
    bad: (reason, line, excerpt) => {
      sink.reject(reason, line, excerpt);
    },
  });
}

const ZERO_WIDTH = /\u200b/gu;
const COMMENT = /(?:^|\s)[#;].*$/u;
