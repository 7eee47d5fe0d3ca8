import type { PublishedFile, OpenFile } from '../input/published-source.js';
import { withDownload } from '../input/routing-downloads.js';
import type { RoutingSource, NormaliseContext } from '../input/routing-source.js';
import { readEach } from '../input/read-each.js';
import type { Vrps } from './registries.js';
import { readVrpCsv } from './vrp-csv.js';
import { readVrps, writeVrps } from './vrp-index.js';
import { readVrpJson } from './vrp-json.js';
import { VrpRows } from './vrp-rows.js';

const NAMES = ['vrps.csv', 'vrps.json', 'rpki.json'];

const FILES: readonly PublishedFile[] = NAMES.map((name) =>
  withDownload({
    folder: 'rpki',
    name,
    container: 'plain',
    required: false,
    take: 'all',
    maxUnpackedBytes: 1_000_000_000,
    alternatives: NAMES.filter((other) => other !== name),
  }),
);

/** Validated ROA payloads: which AS may announce which prefix (RFC 6811), as exported by a validator. */
export const RPKI: RoutingSource = {
  id: 'rpki',
  publisher: 'Cloudflare, rpki-client, or one’s own validator',
  licence: { name: 'public RPKI repositories', url: 'https://rpki.cloudflare.com/', terms: 'free' },
  files: FILES,
  cadence: 'hourly',
  version: 1,
  tolerance: 0.01,
  normalise,
};

/** Loads the normalised payloads from a folder. Throws ColumnFileError. */
export function loadVrps(dir: string): Vrps {
  return readVrps(dir);
}

/** Reads all files. A payload in several of them counts once. */
async function normalise(files: readonly OpenFile[], { dir, tallyOf }: NormaliseContext): Promise<void> {
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
