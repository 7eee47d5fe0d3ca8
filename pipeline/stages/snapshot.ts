import { z } from 'zod';

/** A file that a source was found to consist of, kept by its content. */
const snapshotFileSchema = z.strictObject({
  /** `<folder>/<name>` as found. */
  id: z.string(),
  folder: z.string(),
  name: z.string(),
  /** Position of the FeedFile it matched in the source's list. */
  pattern: z.int().nonnegative(),
  sha256: z.string(),
  sizeBytes: z.int().nonnegative(),
  /** When the file was last modified, ISO 8601 UTC. */
  modified: z.iso.datetime(),
});

/** What a fetch found: digests of files, never their bytes. */
export const snapshotSchema = z.strictObject({
  source: z.string(),
  files: z.array(snapshotFileSchema),
  /** Copies that come with the project, of files that may have to give way to them. */
  bundled: z.array(snapshotFileSchema),
});

export type SnapshotFile = Readonly<z.infer<typeof snapshotFileSchema>>;
export type Snapshot = Readonly<z.infer<typeof snapshotSchema>>;
