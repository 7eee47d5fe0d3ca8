import { formatAddress, type Family } from '../../net/address.js';
import type { Claim } from '../claims/claim.js';
import { KnownColumns, type ColumnsRead } from '../claims/columns-read.js';
import type { ClaimSink } from '../claims/claim-sink.js';
import type { OpenFile } from '../published-source.js';
import { FeedError } from '../feed-error.js';
import { FieldRanges } from './field-ranges.js';
import { readRepeatingRows, type RepeatingVisitor } from './repeating-rows.js';
import { RowNetwork, type AddressFault } from './row-network.js';
import type { Reason } from '../tally.js';

/** How the rows of a file are read, decided by its first row. */
export interface RowLayout<C = Claim> {
  /** The number of fields of every row. */
  readonly width: number;
  /** Whether the first row has the names of the columns. */
  readonly hasHeader: boolean;
  /** The family of all rows; by default rows of both families are accepted. */
  readonly family?: Family | undefined;
  /** The last address of a file that covers the whole space. A file that ends before it is `truncated`. */
  readonly endsAt?: string | undefined;
  /** The columns that `readNetwork` uses. */
  readonly networkColumns: readonly number[];
  /** Reads the network of a row, whose first columns are in `head`. */
  readonly readNetwork: (head: FieldRanges, network: RowNetwork) => AddressFault | 'columns';
  /** The columns that `readClaim` uses. */
  readonly claimColumns: readonly number[];
  /** Reads the claim of a row. Not called for rows that repeat the text of an earlier row after the network. */
  readClaim(fields: readonly string[]): ColumnsRead<C>;
}

/** A CSV file with a claim about one network per row. */
export interface NetworkRowsFile<C = Claim> {
  readonly file: OpenFile;
  readonly bytes: AsyncIterable<Buffer>;
  readonly sink: ClaimSink<C>;
  /** Returns the layout for the first row that parses. Throws FeedError `header` for an unknown layout. */
  layoutOf(first: readonly string[]): RowLayout<C>;
  /** Creates the error for a file without rows, by default FeedError `truncated`. */
  readonly noRows?: () => FeedError;
}

/**
 * Reads a CSV file with one network per row into layer 0 of the sink. Throws FeedError `truncated` when it has no row
 * or ends early, and the errors of `layoutOf`.
 */
export async function readNetworkRows<C extends object>(source: NetworkRowsFile<C>): Promise<void> {
  const rows = new NetworkRows(source);
  await readRepeatingRows(source.file, source.bytes, { delimiter: ',', quote: true }, rows);
  rows.end();
}

/** The layout of the file. */
interface KnownLayout<C extends object> {
  readonly layout: RowLayout<C>;
  /** The columns up to the last one of the network, of a row that is read in full. */
  readonly head: FieldRanges;
  /** The number of these columns; undefined if columns of the claim are among them. */
  readonly headColumns: number | undefined;
  /** Whether the current row is the header. */
  isHeader: boolean;
}

class NetworkRows<C extends object> implements RepeatingVisitor {
  readonly #source: NetworkRowsFile<C>;
  readonly #network = new RowNetwork();
  readonly #columns: KnownColumns<C>;
  #known: KnownLayout<C> | undefined;

  constructor(source: NetworkRowsFile<C>) {
    this.#source = source;
    this.#columns = new KnownColumns(source.sink);
  }

  get headColumns(): number | undefined {
    return this.#known?.headColumns;
  }

  row(fields: string[], line: number): number | undefined {
    const known = (this.#known ??= this.#begin(fields));
    if (known.isHeader) {
      known.isHeader = false;
      return undefined;
    }
    const columns = this.#columnsOf(fields, known);
    const refused = typeof columns === 'string' ? columns : this.#place(columns, line);
    if (refused === undefined) return columns as number;
    this.#source.sink.reject(refused, line, fields.join(','));
    return undefined;
  }

  repeated(head: FieldRanges, tail: number, line: number): boolean {
    if (this.#faultOf(head, this.#known!.layout) !== undefined || this.#network.isReserved) return false;
    this.#place(tail, line);
    return true;
  }

  bad(reason: Reason, line: number, excerpt: string): void {
    this.#source.sink.reject(reason, line, excerpt);
  }

  end(): void {
    const { file } = this.#source;
    if (this.#known === undefined)
      throw this.#source.noRows?.() ?? new FeedError('truncated', file.id, 'no rows');
    const { endsAt } = this.#known.layout;
    if (endsAt === undefined) return;
    const last = formatAddress(this.#network.end, this.#network.family);
    if (last !== endsAt)
      throw new FeedError('truncated', file.id, `the last row ends at ${last}: expected ${endsAt}`);
  }

  #begin(first: readonly string[]): KnownLayout<C> {
    const layout = this.#source.layoutOf(first);
    const columns = Math.max(...layout.networkColumns) + 1;
    return {
      layout,
      head: new FieldRanges(columns),
      headColumns: layout.claimColumns.every((column) => column >= columns) ? columns : undefined,
      isHeader: layout.hasHeader,
    };
  }

  /** Reads a row. Returns the number of its columns, or the reason why it is rejected. */
  #columnsOf(fields: readonly string[], { layout, head }: KnownLayout<C>): Reason | number {
    if (fields.length !== layout.width) return 'columns';
    head.set(fields);
    const fault = this.#faultOf(head, layout);
    if (fault !== undefined) return fault;
    const read = layout.readClaim(fields);
    return 'refused' in read ? read.refused : this.#columns.number(read);
  }

  /** Reads the network of a row. Returns the reason when the row is rejected because of it. */
  #faultOf(head: FieldRanges, { family, readNetwork }: RowLayout<C>): Reason | undefined {
    const fault = readNetwork(head, this.#network);
    if (fault !== undefined) return fault;
    return family !== undefined && this.#network.family !== family ? 'family' : undefined;
  }

  /** Passes the network to the sink, or returns the reason why the row is rejected. */
  #place(columns: number, line: number): Reason | undefined {
    const { sink } = this.#source;
    const claimId = this.#columns.claimIdOf(columns);
    for (const note of this.#columns.notesOf(columns)) sink.note(note);
    if (claimId === undefined) sink.unknown();
    else if (this.#network.isReserved) return 'reserved';
    else this.#network.insertInto(sink, claimId, line);
    return undefined;
  }
}
