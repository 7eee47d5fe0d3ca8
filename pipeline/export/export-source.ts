import type { Dataset } from './dataset.js';
import type { Networks } from './networks.js';

/** The input of every format. */
export interface ExportSource {
  readonly dataset: Dataset;
  /** Begins at the first network again; formats that need totals first read the networks twice. */
  readonly networks: () => Networks;
}

/** A written file, and the number of its rows, entries or prefixes. */
export interface WrittenFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly rows: number;
}
