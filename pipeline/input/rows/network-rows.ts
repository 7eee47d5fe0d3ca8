import { formatAddress, type Family } from '../../net/address.js';
import type { Claim } from '../claims/claim.js';
import { ClaimMemo, type ColumnsRead, type KnownColumns } from '../claims/claim-memo.js';
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
  /** Reads the claim of a row. Called once per distinct combination of the texts in `claimColumns`. */
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

/** The layout of the file, with the memo for its claims. */
interface KnownLayout<C extends object> {
  readonly layout: RowLayout<C>;
  readonly memo: ClaimMemo<C>;
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
  #known: KnownLayout<C> | undefined;

  constructor(source: NetworkRowsFile<C>) {
    this.#source = source;
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
    const refused = typeof columns === 'string' ? columns : this.#place(known.memo.at(columns), line);
    if (refused === undefined) return columns as number;
    this.#source.sink.reject(refused, line, fields.join(','));
    return undefined;
  }

  repeated(head: FieldRanges, tail: number, line: number): boolean {
    const { layout, memo } = this.#known!;
    if (this.#faultOf(head, layout) !== undefined || this.#network.isReserved) return false;
    this.#place(memo.at(tail), line);
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
    const readClaim = (fields: readonly string[]): ColumnsRead<C> => layout.readClaim(fields);
    const columns = Math.max(...layout.networkColumns) + 1;
    return {
      layout,
      memo: new ClaimMemo(layout.claimColumns, readClaim, this.#source.sink),
      head: new FieldRanges(columns),
      headColumns: layout.claimColumns.every((column) => column >= columns) ? columns : undefined,
      isHeader: layout.hasHeader,
    };
  }

  /** Reads a row. Returns the number of its columns, or the reason why it is rejected. */
  #columnsOf(fields: string[], { layout, memo, head }: KnownLayout<C>): Reason | number {
    if (fields.length !== layout.width) return 'columns';
    head.set(fields);
    const fault = this.#faultOf(head, layout);
    if (fault !== undefined) return fault;
    return memo.number(fields);
  }

  /** Reads the network of a row. Returns the reason when the row is rejected because of it. */
  #faultOf(head: FieldRanges, { family, readNetwork }: RowLayout<C>): Reason | undefined {
    const fault = readNetwork(head, this.#network);
    if (fault !== undefined) return fault;
    return family !== undefined && this.#network.family !== family ? 'family' : undefined;
  }

  /** Passes the network to the sink, or returns the reason why the row is rejected. */
  #place({ refused, claimId, notes }: KnownColumns, line: number): Reason | undefined {
    if (refused !== undefined) return refused;
    const { sink } = this.#source;
    for (const note of notes) sink.note(note);
    if (claimId === undefined) sink.unknown();
    else if (this.#network.isReserved) return 'reserved';
    else this.#network.insertInto(sink, claimId, line);
    return undefined;
  }
}
