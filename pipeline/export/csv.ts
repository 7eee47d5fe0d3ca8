import { formatAddress, newAddress } from '../net/address.js';
import { formatPrefix, lastAddressInto, prefixFamily } from '../net/prefix.js';
import { STDOUT, writeWhole, type BlockWriter } from './block-writer.js';
import { CsvLines } from './csv-line.js';
import { ExportError } from './export-error.js';
import type { ExportSource, WrittenFile } from './export-source.js';

/** Options of a flat CSV file. */
export interface CsvOptions {
  /** Whether the first and the last address follow the network. */
  readonly ranges: boolean;
  /** Whether the file begins with the terms, in lines that begin with `#`. */
  readonly comments: boolean;
}

/** Writes one CSV file with a row per network. Without comments the terms are in a file beside it. */
export async function exportCsv(
  { dataset, networks }: ExportSource,
  path: string,
  { ranges, comments }: CsvOptions,
): Promise<WrittenFile[]> {
  if (path === STDOUT && !comments)
    throw new ExportError(
      'standard output has no place for the terms beside it: use -o <file> with --no-comments',
    );
  let rows = 0;
  const notice = dataset.notice;
  const sizeBytes = await writeWhole(path, (writer) => {
    if (comments) writer.text(notice.map((line) => `# ${line}\n`).join(''));
    const names = [
      'network',
      ...(ranges ? ['start', 'end'] : []),
      ...dataset.columns.map(({ name }) => name),
    ];
    writer.text(`${names.join(',')}\n`);
    const lines = new CsvLines(dataset, dataset.columns);
    const last = newAddress();
    const each = networks();
    for (; each.next(); rows++) {
      const { address, length } = each;
      writer.ascii(formatPrefix(address, length));
      if (ranges) {
        lastAddressInto(address, length, last);
        writeRange(writer, address, last, length);
      }
      writer.bytes(lines.lineOf(each.offset));
    }
  });
  const written = [{ path, sizeBytes, rows }];
  if (comments) return written;
  const terms = `${path}.LICENSE.txt`;
  const termBytes = await writeWhole(terms, (writer) => {
    writer.text(`${notice.join('\n')}\n`);
  });
  return [...written, { path: terms, sizeBytes: termBytes, rows: 0 }];
}

function writeRange(writer: BlockWriter, first: Uint32Array, last: Uint32Array, length: number): void {
  const family = prefixFamily(first, length);
  writer.ascii(`,${formatAddress(first, family)},${formatAddress(last, family)}`);
}
