import { columnsByName, readCsvRows, type ColumnIndexes, type CsvVisitor } from '../input/rows/csv-rows.js';
import type { OpenFile, PublishedFile } from '../input/published-source.js';
import { FeedError } from '../input/feed-error.js';
import { PEERINGDB_FOLDER } from '../input/peeringdb/object-files.js';
import type { Reason, Tally } from '../input/tally.js';
import type { PeeringNetwork } from './registries.js';
import { parseAsn } from './vrp-rows.js';
import { readWholeLines } from './whole-lines.js';

/** Number, type and name of networks: an extract of PeeringDB that is provided by hand. */
export const NETWORK_TYPES: PublishedFile = {
  folder: PEERINGDB_FOLDER,
  name: 'asn-types.csv',
  container: 'plain',
  required: false,
  take: 'all',
};

/**
 * Reads the types of networks.
 *
 *     asn,network_type,network_name
 *     3303,Cable/DSL/ISP,Swisscom
 *
 * A repeated AS number is noted as `duplicate`; the first row counts. Throws FeedError: `header` for other columns or
 * no rows, `truncated` if the last line has no line end.
 */
export async function readNetworkTypes(file: OpenFile, tally: Tally): Promise<readonly PeeringNetwork[]> {
  const rows = new TypeRows(file, tally);
  await readCsvRows(file, readWholeLines(file), { delimiter: ',', quote: true }, rows);
  if (!rows.hasRows) throw new FeedError('header', file.id, 'no networks found');
  return [...rows.networks.values()];
}

const NAMES = { of: 'the file', required: ['asn', 'network_type', 'network_name'] } as const;
type TypeColumns = ColumnIndexes<(typeof NAMES.required)[number], never>;

class TypeRows implements CsvVisitor {
  readonly networks = new Map<number, PeeringNetwork>();
  hasRows = false;
  readonly #file: OpenFile;
  readonly #tally: Tally;
  #columns: TypeColumns | undefined;

  constructor(file: OpenFile, tally: Tally) {
    this.#file = file;
    this.#tally = tally;
  }

  row(fields: string[], line: number): void {
    if (!this.#columns) {
      this.#columns = columnsByName(fields, NAMES, this.#file);
      return;
    }
    this.hasRows = true;
    const refused = this.#add(this.#columns, fields);
    if (refused === undefined) this.#tally.accept();
    else this.bad(refused, line, fields.join(','));
  }

  bad(reason: Reason, line: number, excerpt: string): void {
    this.#tally.reject(reason, line, excerpt);
  }

  #add(columns: TypeColumns, fields: readonly string[]): Reason | undefined {
    if (fields.length !== NAMES.required.length) return 'columns';
    const asn = parseAsn(fields[columns.asn]!);
    const name = fields[columns.network_name]!.trim();
    const infoType = fields[columns.network_type]!.trim();
    if (asn === undefined || asn === 0) return 'asn';
    if (name === '') return 'text-length';
    if (this.networks.has(asn)) this.#tally.note('duplicate');
    else this.networks.set(asn, { asn, name, ...(infoType !== '' && { infoType }) });
    return undefined;
  }
}
