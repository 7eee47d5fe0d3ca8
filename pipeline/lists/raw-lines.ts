import { readCsvRows } from '../input/rows/csv-rows.js';
import type { OpenFile } from '../input/published-source.js';
import { readUnpacked } from '../input/containers/unpacked-file.js';
import type { ListSink } from './list.js';

/**
 * Reads a text line by line, including comments. `visit` receives each line that is not blank, without surrounding
 * white space. Lines that are not UTF-8 are rejected. Throws FeedError `container` for an HTML page or another
 * container, and the errors of `visit`.
 */
export async function readRawLines(
  file: OpenFile,
  sink: Pick<ListSink, 'reject'>,
  visit: (text: string, line: number) => void,
): Promise<void> {
  // The delimiter does not matter: the fields of a line are joined again.
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
