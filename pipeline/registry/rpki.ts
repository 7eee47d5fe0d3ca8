import type { FeedFile, OpenFile } from '../feeds/feed.js';
import { withDownload } from '../feeds/routing-downloads.js';
import type { Source, SourceReading } from '../feeds/source.js';
import { readEach } from '../feeds/read-each.js';
import type { Vrps } from './registries.js';
import { readVrpCsv } from './vrp-csv.js';
import { readVrps, writeVrps } from './vrp-index.js';
import { readVrpJson } from './vrp-json.js';
import { VrpRows } from './vrp-rows.js';

const NAMES = ['vrps.csv', 'vrps.json', 'rpki.json'];

const FILES: readonly FeedFile[] = NAMES.map((name) =>
  withDownload({
    folder: 'rpki',
    name,
    container: 'plain',
    required: false,
    take: 'all',
    alternatives: NAMES.filter((other) => other !== name),
  }),
);

/** Which AS may announce which prefix, as a validator found the route origin authorisations (RFC 6811). */
export const RPKI: Source = {
  id: 'rpki',
  publisher: 'Cloudflare, rpki-client, or one’s own validator',
  licence: { name: 'public RPKI repositories', url: 'https://rpki.cloudflare.com/', terms: 'free' },
  files: FILES,
  cadence: 'hourly',
  version: 1,
  tolerance: 0.01,
  normalise,
};

/** Reads what `RPKI` wrote. Throws ColumnFileError. */
export function loadVrps(dir: string): Vrps {
  return readVrps(dir);
}

/** Whichever files there are, together: a payload that several of them have counts once. */
async function normalise(files: readonly OpenFile[], { dir, tallyOf }: SourceReading): Promise<void> {
  const rows = new VrpRows();
  const inOrder = [...files].sort((a, b) => rankOf(a) - rankOf(b));
  await readEach('rpki', inOrder, async (file) => {
    const read = file.name.endsWith('.csv') ? readVrpCsv : readVrpJson;
    await read(file, rows, tallyOf(file));
  });
  writeVrps(dir, rows);
}

function rankOf(file: OpenFile): number {
  return FILES.findIndex(({ name }) => name === file.name);
}
