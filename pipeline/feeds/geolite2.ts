import { PrefixBuffer } from '../net/prefix.js';
import type { Family } from '../net/address.js';
import { columnsByName, readCsvRows, type CsvVisitor } from './csv-rows.js';
import type { ClaimSink, Feed, FeedFile, OpenFile } from './feed.js';
import { FeedError } from './feed-error.js';
import { BLOCK_COLUMNS, BlockVerdicts, type BlockColumns } from './geolite2-blocks.js';
import { entryCalled, readLocations, type GeoLite2Location } from './geolite2-locations.js';
import type { Reason } from './tally.js';
import { withZip, type ZipArchive } from './zip-archive.js';

/** Its one file (https://dev.maxmind.com/geoip/updating-databases/#directly-downloading-databases). */
export const GEOLITE2_CITY_CSV: FeedFile = {
  folder: 'geolite2',
  name: 'GeoLite2-City-CSV_*.zip',
  container: 'zip',
  required: true,
  take: 'latest',
  download: {
    url: 'https://download.maxmind.com/geoip/databases/GeoLite2-City-CSV/download?suffix=zip',
    sha256Url: 'https://download.maxmind.com/geoip/databases/GeoLite2-City-CSV/download?suffix=zip.sha256',
    basicAuth: ['MAXMIND_ACCOUNT_ID', 'MAXMIND_LICENSE_KEY'],
    minBytes: 10_000_000,
  },
};

/**
 * MaxMind GeoLite2 City, CSV edition: a zip of network blocks per family and of locations per language
 * (https://dev.maxmind.com/geoip/docs/databases/city-and-country/#csv-databases). The rows are those of the two
 * blocks files; of the locations only unreadable rows count.
 */
export const geolite2: Feed = {
  id: 'geolite2',
  publisher: 'MaxMind',
  licence: {
    name: 'GeoLite End User License Agreement',
    url: 'https://www.maxmind.com/en/geolite/eula',
    attribution:
      'This product includes GeoLite Data created by MaxMind, available from https://www.maxmind.com',
    terms: 'closed',
  },
  files: [GEOLITE2_CITY_CSV],
  cadence: 'Tuesday and Friday',
  version: 1,
  tolerance: 0.01,
  layers: ['city'],
  combine: (claims) => claims[0],
  read: async (files, sinkFor) => {
    for (const file of files) await withZip(file, (zip) => readSnapshot(file, zip, sinkFor(file)));
  },
};

async function readSnapshot(file: OpenFile, zip: ZipArchive, sink: ClaimSink): Promise<void> {
  const blocks = ([4, 6] as const).map((family) => ({
    family,
    entry: entryCalled(file, zip, `GeoLite2-City-Blocks-IPv${family}.csv`),
  }));
  const locations = new Map<string, GeoLite2Location>();
  const bad = (reason: Reason, line: number, excerpt: string): void => {
    sink.reject(reason, line, excerpt);
  };
  await readLocations(file, zip, 'en', { bad, location: (location) => locations.set(location.id, location) });
  // No claim needs it, but a snapshot is good or refused as a whole, and the gazetteer takes its Chinese names.
  await readLocations(file, zip, 'zh-CN', { bad, location: () => undefined });
  const verdicts = new BlockVerdicts(locations, sink);
  for (const { family, entry } of blocks) {
    const rows = new BlockRows({ file, entry, family, verdicts, sink });
    await readCsvRows(file, zip.read(entry), { delimiter: ',', quote: true }, rows);
    rows.end();
  }
}

interface BlockFile {
  readonly file: OpenFile;
  readonly entry: string;
  readonly family: Family;
  readonly verdicts: BlockVerdicts;
  readonly sink: ClaimSink;
}

/** The rows of one blocks file. */
class BlockRows implements CsvVisitor {
  readonly #blocks: BlockFile;
  readonly #prefix = new PrefixBuffer();
  #columns: BlockColumns | undefined;
  #width = 0;

  constructor(blocks: BlockFile) {
    this.#blocks = blocks;
  }

  row(fields: string[], line: number): void {
    if (this.#columns === undefined) {
      const names = { of: this.#blocks.entry, ...BLOCK_COLUMNS };
      this.#columns = columnsByName(fields, names, this.#blocks.file);
      this.#width = fields.length;
      return;
    }
    const reason = this.#place(fields, line, this.#columns);
    if (reason !== undefined) this.#blocks.sink.reject(reason, line, fields.join(','));
  }

  bad(reason: Reason, line: number, excerpt: string): void {
    this.#blocks.sink.reject(reason, line, excerpt);
  }

  end(): void {
    if (this.#columns !== undefined) return;
    throw new FeedError('header', this.#blocks.file.id, `${this.#blocks.entry} has no header`);
  }

  /** Hands a row to the sink, or tells why it is refused. */
  #place(fields: readonly string[], line: number, at: BlockColumns): Reason | undefined {
    const { sink, verdicts, family } = this.#blocks;
    if (fields.length !== this.#width) return 'columns';
    if (!this.#prefix.parse(fields[at.network]!)) return 'address';
    if (this.#prefix.family !== family) return 'family';
    const verdict = verdicts.of(fields, at);
    if (verdict.refused !== undefined) return verdict.refused;
    if (verdict.oddCoordinates) sink.note('coordinates');
    if (verdict.claimId === undefined) sink.unknown();
    else sink.prefix(0, this.#prefix, verdict.claimId, line);
    return undefined;
  }
}
