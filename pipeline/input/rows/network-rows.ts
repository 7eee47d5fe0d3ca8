import { formatAddress, type Family } from '../../net/address.js';
import type { Claim } from '../claims/claim.js';
import { ClaimMemo, type ColumnsRead } from '../claims/claim-memo.js';
import { readCsvRows, type CsvVisitor } from './csv-rows.js';
import type { ClaimSink } from '../claims/claim-sink.js';
import type { OpenFile } from '../published-source.js';
import { FeedError } from '../feed-error.js';
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
  /** Reads the network of a row. */
  readNetwork(fields: readonly string[], network: RowNetwork): AddressFault | 'columns';
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
}

/**
 * Reads a CSV file with one network per row into layer 0 of the sink. Throws FeedError `truncated` when it has no row
 * or ends early, and the errors of `layoutOf`.
 */
export async function readNetworkRows<C extends object>(source: NetworkRowsFile<C>): Promise<void> {
  const rows = new NetworkRows(source);
  await readCsvRows(source.file, source.bytes, { delimiter: ',', quote: true }, rows);
  rows.end();
}

/** The layout of the file, with the memo for its claims. */
interface KnownLayout<C extends object> {
  readonly layout: RowLayout<C>;
  readonly memo: ClaimMemo<C>;
}

class NetworkRows<C extends object> implements CsvVisitor {
  readonly #source: NetworkRowsFile<C>;
  readonly #network = new RowNetwork();
  #known: KnownLayout<C> | undefined;

  constructor(source: NetworkRowsFile<C>) {
    this.#source = source;
  }

  row(fields: string[], line: number): void {
    let known = this.#known;
    if (known === undefined) {
      known = this.#known = this.#begin(fields);
      if (known.layout.hasHeader) return;
    }
    const refused = this.#insert(fields, line, known);
    if (refused !== undefined) this.#source.sink.reject(refused, line, fields.join(','));
  }

  bad(reason: Reason, line: number, excerpt: string): void {
    this.#source.sink.reject(reason, line, excerpt);
  }

  end(): void {
    const { file } = this.#source;
    if (this.#known === undefined) throw new FeedError('truncated', file.id, 'no rows');
    const { endsAt } = this.#known.layout;
    if (endsAt === undefined) return;
    const last = formatAddress(this.#network.end, this.#network.family);
    if (last !== endsAt)
      throw new FeedError('truncated', file.id, `the last row ends at ${last}: expected ${endsAt}`);
  }

  #begin(first: readonly string[]): KnownLayout<C> {
    const layout = this.#source.layoutOf(first);
    const readClaim = (fields: readonly string[]): ColumnsRead<C> => layout.readClaim(fields);
    return { layout, memo: new ClaimMemo(layout.claimColumns, readClaim, this.#source.sink) };
  }

  /** Passes a row to the sink, or returns the reason why it is rejected. */
  #insert(fields: string[], line: number, { layout, memo }: KnownLayout<C>): Reason | undefined {
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
