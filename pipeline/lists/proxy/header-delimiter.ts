import type { CsvDialect } from '../../input/rows/csv-lines.js';

/** A file edited by hand, with the delimiter of its columns. */
export interface Delimited {
  readonly delimiter: CsvDialect['delimiter'];
  /** All bytes of the file. */
  readonly bytes: AsyncIterable<Buffer>;
}

/**
 * Finds the delimiter in the header, the first line that is neither blank nor a `#` comment. Spreadsheets write `;` in
 * locales with a decimal comma. Without a delimiter in the header it is a comma.
 */
export async function withDelimiter(bytes: AsyncIterable<Buffer>): Promise<Delimited> {
  const rest = bytes[Symbol.asyncIterator]();
  const head: Buffer[] = [];
  let header: string | undefined;
  while (header === undefined) {
    const next = await rest.next();
    if (next.done === true) break;
    head.push(next.value);
    header = headerIn(Buffer.concat(head), { isWhole: false });
  }
  header ??= headerIn(Buffer.concat(head), { isWhole: true }) ?? '';
  return { delimiter: delimiterIn(header), bytes: joined(head, rest) };
}

/** Returns the header. Returns undefined when `head` does not contain all of it yet. */
function headerIn(head: Buffer, { isWhole }: { readonly isWhole: boolean }): string | undefined {
  const lines = head.toString('utf8').split('\n');
  if (!isWhole) lines.pop();
  return lines.find((line) => !BLANK_OR_COMMENT.test(line));
}

/** A blank line or a comment. Spreadsheets put comments with a delimiter into quotes. */
const BLANK_OR_COMMENT = /^[\s\ufeff]*(?:"?\s*#|$)/;

/** Returns the most frequent delimiter. Column names contain none of them. */
function delimiterIn(header: string): CsvDialect['delimiter'] {
  const counts = DELIMITERS.map((delimiter) => header.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))]!;
}

const DELIMITERS = [',', ';', '\t'] as const;

async function* joined(
  head: readonly Buffer[],
  rest: AsyncIterator<Buffer>,
): AsyncGenerator<Buffer, void, undefined> {
  yield* head;
  yield* { [Symbol.asyncIterator]: () => rest };
}
