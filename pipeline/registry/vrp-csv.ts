import { columnsByName, readCsvRows, type ColumnIndexes, type CsvVisitor } from '../input/rows/csv-rows.js';
import type { OpenFile } from '../input/published-source.js';
import { FeedError } from '../input/feed-error.js';
import type { Reason, Tally } from '../input/tally.js';
import { parseAsn, type VrpRows } from './vrp-rows.js';
import { readWholeLines } from './whole-lines.js';

/**
 * Reads the CSV of a validator. It has no build time, so expiry times are ignored.
 *
 *     ASN,IP Prefix,Max Length,Trust Anchor            Routinator csv       AS196615,2001:7fb:fd03::/48,48,ripe
 *     "ASN","IP Prefix","Max Length","Trust Anchor"    csvcompat            "196615","2001:7fb:fd03::/48","48","ripe"
 *     ASN,IP Prefix,Max Length,Trust Anchor,Expires    rpki-client          AS13335,1.0.0.0/24,24,apnic,1753280249
 *
 * Throws FeedError: `header` for other columns or no rows, `truncated` if the last line has no line end.
 */
export async function readVrpCsv(file: OpenFile, rows: VrpRows, tally: Tally): Promise<void> {
  rows.begin(tally);
  const reader = new VrpLines(file, rows, tally);
  await readCsvRows(file, readWholeLines(file), { delimiter: ',', quote: true }, reader);
  if (!reader.hasRows) throw new FeedError('header', file.id, 'no validated ROA payload found');
  rows.end(undefined);
}

const NAMES = {
  of: 'the file',
  required: ['ASN', 'IP Prefix', 'Max Length', 'Trust Anchor'],
  optional: ['Expires'],
} as const;

type VrpColumns = ColumnIndexes<(typeof NAMES.required)[number], (typeof NAMES.optional)[number]>;

class VrpLines implements CsvVisitor {
  hasRows = false;
  readonly #file: OpenFile;
  readonly #rows: VrpRows;
  readonly #tally: Tally;
  #columns: VrpColumns | undefined;
  #width = 0;

  constructor(file: OpenFile, rows: VrpRows, tally: Tally) {
    this.#file = file;
    this.#rows = rows;
    this.#tally = tally;
  }

  row(fields: string[], line: number): void {
    if (!this.#columns) {
      this.#columns = columnsByName(fields, NAMES, this.#file);
      this.#width = fields.length;
      return;
    }
    this.hasRows = true;
    const refused = this.#read(this.#columns, fields, line);
    if (refused !== undefined) this.bad(refused, line, fields.join(','));
  }

  bad(reason: Reason, line: number, excerpt: string): void {
    this.#tally.reject(reason, line, excerpt);
  }

  #read(columns: VrpColumns, fields: readonly string[], line: number): Reason | undefined {
    if (fields.length !== this.#width) return 'columns';
    const maxLength = fields[columns['Max Length']]!;
    return this.#rows.add(
      {
        asn: parseAsn(fields[columns.ASN]!),
        prefix: fields[columns['IP Prefix']]!,
        maxLength: maxLength === '' ? undefined : DECIMAL.test(maxLength) ? Number(maxLength) : NaN,
        expires: undefined,
      },
      line,
    );
  }
}

const DECIMAL = /^\d{1,3}$/;
