import { readGz, readPlain } from '../containers/containers.js';
import type { OpenFile, PublishedFile } from '../published-source.js';
import { readCsvRows } from '../rows/csv-rows.js';
import type { Reason } from '../tally.js';
import type { GeofeedReference, GeofeedReferences } from './geofeed-blocks.js';
import { readRegistryDump } from './registry-dump.js';

/** The maximum size of an unpacked dump: RIPE's has about 3 GB. */
export const DUMP_BYTES = 20_000_000_000;

/** The folder of references to geofeeds. */
export const REFERENCE_FOLDER = 'whois-geofeed';

/**
 * The files with references: dumps of registries as published, and lists with a row `prefix,url,last-modified` per
 * registration, where a range with a dash may replace the prefix. The last column may be missing. Rejected rows are
 * mistakes of single operators, however many: no file is refused for them.
 */
export const REFERENCE_FILES: readonly PublishedFile[] = [
  { ...optional('*.db*.gz'), container: 'gz', maxUnpackedBytes: DUMP_BYTES },
  { ...optional('*.csv'), container: 'plain', maxUnpackedBytes: 500_000_000 },
];

/** Counts the rows of a file with references. */
export interface ReferenceCounter {
  accept(): void;
  reject(reason: Reason, position: number, excerpt: string): void;
}

/**
 * Adds the references of one of REFERENCE_FILES to `into`. A row is a registration that names a geofeed; positions in
 * dumps are byte offsets. Throws FeedError.
 */
export async function readReferences(
  file: OpenFile,
  into: GeofeedReferences,
  counter: ReferenceCounter,
): Promise<void> {
  const reference = (found: GeofeedReference, position: number): void => {
    const refused = into.add(found);
    if (refused === undefined) counter.accept();
    else counter.reject(refused, position, `${found.network},${found.url}`);
  };
  if (file.container === 'gz') await readRegistryDump(file, readGz(file), { reference });
  else await readReferenceList(file, reference, counter);
}

async function readReferenceList(
  file: OpenFile,
  reference: (found: GeofeedReference, line: number) => void,
  counter: ReferenceCounter,
): Promise<void> {
  let atFirst = true;
  const row = (fields: readonly string[], line: number): void => {
    const [network = '', url = '', modified = ''] = fields.map((field) => field.trim());
    if (network.startsWith('#')) return;
    const isHeader = atFirst && network === HEADER[0];
    atFirst = false;
    if (isHeader) return;
    const seconds = modified === '' ? 0 : Math.floor(Date.parse(modified) / 1000);
    if (fields.length < 2 || fields.length > 3) counter.reject('columns', line, fields.join(','));
    else if (!(seconds >= 0 && seconds <= LAST_SECOND)) counter.reject('date', line, fields.join(','));
    else reference({ network, url, modified: seconds }, line);
  };
  await readCsvRows(
    file,
    readPlain(file),
    { delimiter: ',', quote: true },
    {
      row,
      bad: (reason, line, excerpt) => {
        if (!excerpt.trimStart().startsWith('#')) counter.reject(reason, line, excerpt);
      },
    },
  );
}

/** The columns of a list. */
export const HEADER = ['prefix', 'url', 'last-modified'] as const;

const LAST_SECOND = 0xffff_ffff;

function optional(name: string) {
  return { folder: REFERENCE_FOLDER, name, required: false, take: 'all', tolerance: 1 } as const;
}
