import { z } from 'zod';
import { Failure } from '../failure.js';
import { DATASET_NAMES, type DatasetFile, type DatasetName, type Snapshot } from '../release/snapshot.js';

/** The dataset in a path. */
export const datasetName = z.enum(DATASET_NAMES, 'invalid dataset: expected mmdb, asn or isp');

/** `data` of the dataset's metadata. */
export const metadataSchema = z.strictObject({
  filename: z
    .string()
    .regex(/\.mmdb$/)
    .describe('File name of the download'),
  format: z.literal('mmdb').describe('Always `mmdb`'),
  size: z.int().positive().describe('Bytes'),
  mtime: z.int().positive().describe('Last change of the file, Unix seconds'),
  mtime_iso: z.iso.datetime().describe('Last change of the file, ISO 8601'),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('Digest of the file; equals the ETag of the download'),
  build_epoch: z.int().nonnegative().describe('Build of the database, Unix seconds'),
  build_iso: z.iso.datetime().describe('Build of the database, ISO 8601'),
  node_count: z.int().positive().describe('Nodes of the search tree'),
  ip_version: z.union([z.literal(4), z.literal(6)]).describe('6: the tree holds IPv4 and IPv6'),
  languages: z.array(z.string()).describe('Languages of the names'),
});
export type Metadata = z.infer<typeof metadataSchema>;

/** Returns a dataset of the release. Throws Failure(404) when the release does not have it (decision 39). */
export function requireDataset({ datasets }: Snapshot, name: DatasetName): DatasetFile {
  const file = datasets.get(name);
  if (!file) throw new Failure(404, `dataset ${name} has not been built`);
  return file;
}

/** Returns the metadata of a dataset. */
export function metadataOf(file: DatasetFile): Metadata {
  return {
    filename: file.filename,
    format: 'mmdb',
    size: file.sizeBytes,
    mtime: file.modified,
    mtime_iso: isoOf(file.modified),
    sha256: file.sha256,
    build_epoch: file.buildEpoch,
    build_iso: isoOf(file.buildEpoch),
    node_count: file.nodeCount,
    ip_version: file.ipVersion,
    languages: [...file.languages],
  };
}

/** Formats `2026-11-21T03:00:00Z`. */
function isoOf(epoch: number): string {
  return new Date(epoch * 1000).toISOString().replace('.000Z', 'Z');
}
