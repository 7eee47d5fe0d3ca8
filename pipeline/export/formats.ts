import { exportCsv } from './csv.js';
import type { ExportSource, WrittenFile } from './export-source.js';

/** The names of the formats. */
export type FormatName = 'csv';

/** Options of single formats. */
export interface FormatOptions {
  /** Whether CSV has the first and the last address. Default: false. */
  readonly ranges?: boolean;
  /** Whether CSV begins with the terms. Default: true. */
  readonly comments?: boolean;
}

/** A format: how the help describes it, how a file name ends, and what writes it. */
interface Format {
  readonly summary: string;
  readonly extension: string;
  readonly write: (source: ExportSource, path: string, options: FormatOptions) => Promise<WrittenFile[]>;
}

/** The formats by name, in the order of the help. */
export const FORMATS: Readonly<Record<FormatName, Format>> = {
  csv: {
    summary: 'one table with a row per network',
    extension: '.csv',
    write: (source, path, { ranges = false, comments = true }) =>
      exportCsv(source, path, { ranges, comments }),
  },
};
