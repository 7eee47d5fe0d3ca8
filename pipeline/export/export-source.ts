import type { Dataset } from './dataset.js';
import type { Networks } from './networks.js';

/** The input of every format. */
export interface ExportSource {
  readonly dataset: Dataset;
  /** Begins at the first network again; formats that need totals first read the networks twice. */
  readonly networks: () => Networks;
  /** The dataset beside it that the format also reads, if there is one. */
  readonly beside?: { readonly dataset: Dataset; readonly networks: () => Networks } | undefined;
}

/** A written file, and the number of its rows, entries or prefixes. */
export interface WrittenFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly rows: number;
}
