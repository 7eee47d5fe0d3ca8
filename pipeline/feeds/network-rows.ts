import { formatAddress, type Family } from '../net/address.js';
import type { Claim } from './claim.js';
import { ClaimMemo, type ColumnsRead } from './claim-memo.js';
import { readCsvRows, type CsvVisitor } from './csv-rows.js';
import type { ClaimSink, OpenFile } from './feed.js';
import { FeedError } from './feed-error.js';
import { RowNetwork, type AddressFault } from './row-network.js';
import type { Reason } from './tally.js';

/** How the rows of a file are to be read, as its first row shows. */
export interface RowLayout<C = Claim> {
  /** Fields of every row. */
  readonly width: number;
  /** The first row holds names of columns. */
  readonly hasHeader: boolean;
  /** The only family the file may hold; both by default. */
  readonly family?: Family | undefined;
  /** Last address of a file that covers the whole space; a file that ends before it is `truncated`. */
  readonly endsAt?: string | undefined;
  /** Reads where a row is. */
  readNetwork(fields: readonly string[], network: RowNetwork): AddressFault | 'columns';
  /** The columns that `readClaim` looks at. */
  readonly claimColumns: readonly number[];
  /** Reads what a row says of its network. */
  readClaim(fields: readonly string[]): ColumnsRead<C>;
}

/** Rows that say something of one network each, separated by commas. */
export interface NetworkRowsFile<C = Claim> {
  readonly file: OpenFile;
  readonly bytes: AsyncIterable<Buffer>;
  readonly sink: ClaimSink<C>;
  /** Finds the layout in the first row that parses. Throws FeedError `header` when it is none it knows. */
  layoutOf(first: readonly string[]): RowLayout<C>;
}

/**
 * Reads a CSV file of one network per row into the sink's layer 0. Throws FeedError `truncated` when it has no row
 * or ends early, and what `layoutOf` throws.
 */
export async function readNetworkRows<C extends object>(source: NetworkRowsFile<C>): Promise<void> {
  const rows = new NetworkRows(source);
  await readCsvRows(source.file, source.bytes, { delimiter: ',', quote: true }, rows);
  rows.end();
}

/** The layout at hand and what goes with it. */
interface Reading<C extends object> {
  readonly layout: RowLayout<C>;
  readonly memo: ClaimMemo<C>;
}

class NetworkRows<C extends object> implements CsvVisitor {
  readonly #source: NetworkRowsFile<C>;
  readonly #network = new RowNetwork();
  #reading: Reading<C> | undefined;

  constructor(source: NetworkRowsFile<C>) {
    this.#source = source;
  }

  row(fields: string[], line: number): void {
    let reading = this.#reading;
    if (reading === undefined) {
      reading = this.#reading = this.#begin(fields);
      if (reading.layout.hasHeader) return;
    }
    const refused = this.#place(fields, line, reading);
    if (refused !== undefined) this.#source.sink.reject(refused, line, fields.join(','));
  }

  bad(reason: Reason, line: number, excerpt: string): void {
    this.#source.sink.reject(reason, line, excerpt);
  }

  end(): void {
    const { file } = this.#source;
    if (this.#reading === undefined) throw new FeedError('truncated', file.id, 'there is no row');
    const { endsAt } = this.#reading.layout;
    if (endsAt === undefined) return;
    const last = formatAddress(this.#network.end, this.#network.family);
    if (last !== endsAt)
      throw new FeedError('truncated', file.id, `the last row ends at ${last}, not ${endsAt}`);
  }

  #begin(first: readonly string[]): Reading<C> {
    const layout = this.#source.layoutOf(first);
    const readClaim = (fields: readonly string[]): ColumnsRead<C> => layout.readClaim(fields);
    return { layout, memo: new ClaimMemo(layout.claimColumns, readClaim, this.#source.sink) };
  }

  /** Hands a row to the sink, or tells why it is refused. */
  #place(fields: string[], line: number, { layout, memo }: Reading<C>): Reason | undefined {
    const { sink } = this.#source;
    const network = this.#network;
    if (fields.length !== layout.width) return 'columns';
    const fault = layout.readNetwork(fields, network);
    if (fault !== undefined) return fault;
    if (layout.family !== undefined && network.family !== layout.family) return 'family';
    const { refused, claimId, notes } = memo.of(fields);
    if (refused !== undefined) return refused;
    for (const note of notes) sink.note(note);
    if (claimId !== undefined) return network.insertInto(sink, claimId, line);
    sink.unknown();
    return undefined;
  }
}
