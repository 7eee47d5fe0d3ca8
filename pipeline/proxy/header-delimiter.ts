import type { CsvDialect } from '../feeds/csv-rows.js';

/** A file as people keep it by hand, and what its columns are separated by. */
export interface Delimited {
  readonly delimiter: CsvDialect['delimiter'];
  /** All of the file. */
  readonly bytes: AsyncIterable<Buffer>;
}

/**
 * Looks at the header, the first line that is neither blank nor a `#` comment, for what its columns are separated by:
 * spreadsheets write `;` where a comma is the decimal point. A comma where it holds no separator.
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

/** Absent where the header, or its end, has not come yet. */
function headerIn(head: Buffer, { isWhole }: { readonly isWhole: boolean }): string | undefined {
  const lines = head.toString('utf8').split('\n');
  if (!isWhole) lines.pop();
  return lines.find((line) => !BLANK_OR_COMMENT.test(line));
}

/** A comment with a separator in it comes out of a spreadsheet in quotes. */
const BLANK_OR_COMMENT = /^[\s\ufeff]*(?:"?\s*#|$)/;

/** The names of columns hold none of them, so the most frequent one it is. */
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
