import { z } from 'zod';
import { count, fileName, md5, sha256 } from './manifest-values.js';

/**
 * The metadata that makes a downloadable file an edition: the same database under a type that clients of MaxMind's
 * databases accept. An edition is the first `bodyBytes` bytes of the file `of`, followed by the bytes of this file.
 */
export const editionSchema = z.strictObject({
  name: fileName,
  kind: z.literal('edition'),
  /** Of the metadata alone. */
  sizeBytes: count,
  sha256,
  /** The database type: `GeoLite2-City`. */
  type: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9-]*$/),
  of: fileName,
  bodyBytes: count,
  /** Of the whole edition. */
  whole: z.strictObject({ sizeBytes: count, sha256, md5 }),
});

/** A file next to the datasets: a delta, or its changes as rows. */
const changeFile = { name: fileName, sizeBytes: count, sha256 };
const fileEnd = z.strictObject({ sha256, sizeBytes: count });

/** The changes from one file of a dataset to the next, see changes/README.md. */
export const deltaSchema = z.strictObject({
  ...changeFile,
  /** The serial of the file that it leads to. */
  serial: z.int().positive(),
  from: fileEnd,
  to: fileEnd,
  /** The number of changed places. */
  changes: count,
  /** The same changes as CSV, compressed with gzip. */
  rows: z.strictObject(changeFile),
});

/** The changes of a file for download, as RRDP (RFC 8182) lists them: contiguous, the oldest first. */
export const deltasSchema = z.strictObject({
  /** Name of the file. */
  file: fileName,
  /** Identifies a sequence of files, whose serials count from 1. */
  session: z.string().regex(/^[0-9a-f]{32}$/),
  /** The serial of the file of this release. */
  serial: z.int().positive(),
  deltas: z.array(deltaSchema),
});

export type ManifestEdition = z.infer<typeof editionSchema>;
export type DatasetDeltas = z.infer<typeof deltasSchema>;
export type DatasetDelta = z.infer<typeof deltaSchema>;
