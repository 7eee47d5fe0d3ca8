import { z } from 'zod';
import { Failure } from '../failure.js';
import { DATASET_NAMES, type DatasetFile, type DatasetName, type Snapshot } from '../release/snapshot.js';

/** A path's dataset. */
export const datasetName = z.enum(DATASET_NAMES, 'the datasets are mmdb, asn and isp');

/** `data` of the dataset's metadata. */
export const metadataSchema = z.strictObject({
  filename: z.string().regex(/\.mmdb$/),
  format: z.literal('mmdb'),
  /** Bytes. */
  size: z.int().positive(),
  /** Unix seconds. */
  mtime: z.int().positive(),
  mtime_iso: z.iso.datetime(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  build_epoch: z.int().nonnegative(),
  build_iso: z.iso.datetime(),
  node_count: z.int().positive(),
  ip_version: z.union([z.literal(4), z.literal(6)]),
  languages: z.array(z.string()),
});
export type Metadata = z.infer<typeof metadataSchema>;

/** A dataset of the release. Throws Failure(404) when it was built without (ruling 39). */
export function requireDataset({ datasets }: Snapshot, name: DatasetName): DatasetFile {
  const file = datasets.get(name);
  if (!file) throw new Failure(404, `the dataset ${name} has not been built yet`);
  return file;
}

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

/** `2026-11-21T03:00:00Z` */
function isoOf(epoch: number): string {
  return new Date(epoch * 1000).toISOString().replace('.000Z', 'Z');
}
