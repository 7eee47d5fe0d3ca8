import type { z } from 'zod';
import type { ListSink } from '../lists/list.js';

/** Rows of a JSON document: those of another shape are rejected as `json`, one by one. */
export class JsonRows {
  readonly #sink: ListSink;
  #position = 0;

  constructor(sink: ListSink) {
    this.#sink = sink;
  }

  /** Visits the rows of an array. Positions count from 1 on, and on from one array of the document to the next. */
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
