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
  /** When its publisher last handed it out or said that it holds; known of downloaded files of lists alone. */
  confirmed: z.iso.datetime().exactOptional(),
  /** An earlier night's: tonight's could not be had from its publisher. */
  stale: z.literal(true).exactOptional(),
});

/** A file that could not be had tonight: from its publisher, or because what stands in its place cannot be read. */
const notFetchedSchema = z.strictObject({
  /** `<folder>/<name>` of the copy, else of what is expected. */
  file: z.string(),
  refusal: z.enum(['download', 'skipped', 'missing']),
  /** What happened, in words. */
  found: z.string(),
  /** Positions of the FeedFiles it was to bring. */
  patterns: z.array(z.int().nonnegative()),
  /** Whether an earlier night's is among the files. */
  held: z.boolean(),
});

/** What a fetch found: digests of files, never their bytes. */
export const snapshotSchema = z.strictObject({
  source: z.string(),
  files: z.array(snapshotFileSchema),
  /** Copies that come with the project, of files that may have to give way to them. */
  bundled: z.array(snapshotFileSchema),
  notFetched: z.array(notFetchedSchema),
});

export type NotFetched = Readonly<z.infer<typeof notFetchedSchema>>;
export type SnapshotFile = Readonly<z.infer<typeof snapshotFileSchema>>;
export interface Snapshot {
  readonly source: string;
  readonly files: readonly SnapshotFile[];
  readonly bundled: readonly SnapshotFile[];
  readonly notFetched: readonly NotFetched[];
}
