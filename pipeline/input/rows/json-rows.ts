import type { z } from 'zod';
import type { ClaimSink } from '../claims/claim-sink.js';

/** Counts rejected rows. */
export type RejectedRows = Pick<ClaimSink, 'reject'>;

/** Reads the rows of a JSON document. Rejects rows that do not match the schema as `json`, one by one. */
export class JsonRows {
  readonly #sink: RejectedRows;
  #position = 0;

  constructor(sink: RejectedRows) {
    this.#sink = sink;
  }

  /** Visits the rows of an array. Positions are 1-based and continue from one array of the document to the next. */
  read<Row>(
    rows: readonly unknown[],
    schema: z.ZodType<Row>,
    visit: (row: Row, position: number) => void,
  ): void {
    for (const row of rows) {
      this.#position++;
      const read = schema.safeParse(row);
      if (read.success) visit(read.data, this.#position);
      else this.#sink.reject('json', this.#position, JSON.stringify(row));
    }
  }
}
