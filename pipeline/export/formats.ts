import { exportCsv } from './csv.js';
import { ExportError } from './export-error.js';
import type { ExportSource, WrittenFile } from './export-source.js';
import { exportGeolite2Csv } from './geolite2-csv.js';
import { exportParquet } from './parquet.js';
import { exportIpset, exportNft, exportNginx } from './prefix-lists.js';
import type { FilterKey } from './where.js';
import { exportXdb, type RegionLanguage } from './xdb.js';

/** The names of the formats. */
export type FormatName = 'csv' | 'parquet' | 'geolite2-csv' | 'xdb' | 'nginx' | 'ipset' | 'nft';

/** Options of single formats. */
export interface FormatOptions {
  /** Whether CSV has the first and the last address. Default: false. */
  readonly ranges?: boolean;
  /** Whether CSV begins with the terms. Default: true. */
  readonly comments?: boolean;
  /** The name of the set or of the variable. Default: ipatlas, or ipatlas_country and so on for nginx. */
  readonly name?: string;
  /** The property that the variable of nginx holds. Default: country for geo, as for asn, proxy for isp. */
  readonly value?: FilterKey;
  /** The language of the names in xdb. Default: zh. */
  readonly lang?: RegionLanguage;
}

/** A format: how the help describes it, how a file name ends, and what writes it. */
interface Format {
  readonly summary: string;
  /** How the name of the output ends; that of a folder begins with a hyphen. */
  readonly extension: string;
  /** A file in the folder of the dataset that the format also reads, if there is one. */
  readonly beside?: string;
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
  parquet: {
    summary: 'one table with a row per network, with types, for DuckDB, Spark and data warehouses',
    extension: '.parquet',
    write: (source, path) => exportParquet(source, path),
  },
  'geolite2-csv': {
    summary: 'a folder with the Blocks and Locations files of MaxMind: geo, asn or isp',
    extension: '-csv',
    write: (source, path) => exportGeolite2Csv(source, path),
  },
  xdb: {
    summary: 'a folder with the files of ip2region for IPv4 and IPv6: geo, with the ISPs of isp.mmdb',
    extension: '-xdb',
    beside: 'isp.mmdb',
    write: (source, path, { lang }) => exportXdb(source, path, lang),
  },
  nginx: {
    summary: 'a geo block: a variable with the country, AS, cloud or proxy type of the client',
    extension: '.conf',
    write: (source, path, { value = DEFAULT_VALUES[source.dataset.kind], name }) =>
      exportNginx(source, path, { name: nameOf(name ?? `ipatlas_${value}`, 63), value }),
  },
  ipset: {
    summary: 'two sets of networks for "ipset restore"',
    extension: '.ipset',
    write: (source, path, { name = 'ipatlas' }) => exportIpset(source, path, { name: nameOf(name, 28) }),
  },
  nft: {
    summary: 'a table with two sets of networks for "nft -f"',
    extension: '.nft',
    write: (source, path, { name = 'ipatlas' }) => exportNft(source, path, { name: nameOf(name, 28) }),
  },
};

const DEFAULT_VALUES = { geo: 'country', asn: 'as', isp: 'proxy', routes: 'as', verdict: 'country' } as const;

/** Checks a name that all three programs accept; names of sets have at most 31 characters, with `-v4`. */
function nameOf(name: string, most: number): string {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && name.length <= most) return name;
  throw new ExportError(
    `invalid name "${name}": expected letters, digits and underscores, at most ${most} characters`,
  );
}
