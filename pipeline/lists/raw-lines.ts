import { readCsvRows } from '../feeds/csv-rows.js';
import type { OpenFile } from '../feeds/feed.js';
import { readUnpacked } from '../feeds/unpacked-file.js';
import type { ListSink } from './list.js';

/**
 * Reads a text line by line, comments included: `visit` gets each line that is not blank, without its end and without
 * spaces around it. A line that is not UTF-8 is rejected. Throws FeedError `container` for an HTML page or another
 * container, and what `visit` throws.
 */
export async function readRawLines(
  file: OpenFile,
  sink: Pick<ListSink, 'reject'>,
  visit: (text: string, line: number) => void,
): Promise<void> {
  // Any delimiter does: the fields of a line are joined again.
  const dialect = { delimiter: '|', quote: false } as const;
  await readCsvRows(file, readUnpacked(file), dialect, {
    row: (fields, line) => {
      const text = (fields.length === 1 ? fields[0]! : fields.join('|')).trim();
      if (text !== '') visit(text, line);
    },
    bad: (reason, line, excerpt) => {
      sink.reject(reason, line, excerpt);
    },
  });
}
