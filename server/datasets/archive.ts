import { pipeline, type Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import { Header } from 'tar';
import type { Dataset, DatasetFile } from '../release/snapshot.js';
import type { OpenDataset } from './open-file.js';
import { surround } from './surround.js';

/**
 * Streams a file in gzip. It is compressed while it is sent, in threads of zlib: a reader that stops stops the
 * compression too, so memory is bounded. MMDB files are hardly smaller at higher levels than the fastest.
 */
export function gzipped(body: Readable): Readable {
  const gzip = createGzip({ level: constants.Z_BEST_SPEED, chunkSize: CHUNK_BYTES });
  // The reader of the stream gets the error from it.
  return pipeline(body, gzip, () => undefined);
}

const CHUNK_BYTES = 256 * 1024;

/** Streams an edition with its licence as a tar archive in gzip (`<edition>_<date>/<edition>.mmdb`). */
export function archived(
  opened: OpenDataset,
  file: DatasetFile,
  { origin }: Pick<Dataset, 'origin'>,
): Readable {
  const folder = `${file.type}_${dayOf(file)}`;
  const licence = Buffer.from(licenceText(origin));
  const before = Buffer.concat([
    headerOf(`${folder}/LICENSE.txt`, licence.length, file),
    licence,
    padding(licence.length),
    headerOf(`${folder}/${file.type}.mmdb`, file.sizeBytes, file),
  ]);
  const after = Buffer.concat([padding(file.sizeBytes), Buffer.alloc(2 * BLOCK_BYTES)]);
  return gzipped(surround(opened.stream({ start: 0, end: file.sizeBytes - 1 }), { before, after }));
}

/** Returns the day on which a file was built: `20261121`, in UTC. */
export function dayOf({ buildEpoch }: Pick<DatasetFile, 'buildEpoch'>): string {
  return new Date(buildEpoch * 1000).toISOString().slice(0, 10).replaceAll('-', '');
}

/** Tar archives consist of blocks; two empty ones end them. */
const BLOCK_BYTES = 512;

function headerOf(path: string, size: number, { modified }: DatasetFile): Buffer {
  const mtime = new Date(modified * 1000);
  const header = new Header({ path, size, mtime, mode: 0o644, uid: 0, gid: 0, type: 'File' });
  header.encode();
  return header.block!;
}

function padding(sizeBytes: number): Buffer {
  return Buffer.alloc((BLOCK_BYTES - (sizeBytes % BLOCK_BYTES)) % BLOCK_BYTES);
}

function licenceText({ terms, attributions, licences }: Dataset['origin']): string {
  const sources = licences.map(
    ({ source, publisher, name, url }) => `${source} (${publisher}): ${name}, ${url}`,
  );
  const lines = [`Terms: ${terms}`, '', 'Attribution:', ...attributions, '', 'Sources:', ...sources];
  return `${lines.join('\n')}\n`;
}
