import { z } from 'zod';

/** A file of a source, stored by content. */
const snapshotFileSchema = z.strictObject({
  /** `<folder>/<name>` as found. */
  id: z.string(),
  folder: z.string(),
  name: z.string(),
  /** Index of the matching declaration in the source's `files`. */
  pattern: z.int().nonnegative(),
  sha256: z.string(),
  sizeBytes: z.int().nonnegative(),
  /** Modification time, ISO 8601 UTC. */
  modified: z.iso.datetime(),
  /** When the publisher last delivered the file or reported it as unchanged. Only for downloaded files of lists. */
  confirmed: z.iso.datetime().exactOptional(),
  /** The file is from an earlier night, because tonight's download failed. */
  stale: z.literal(true).exactOptional(),
});

/** A file that is not available tonight: its download failed, or it cannot be read. */
const notFetchedSchema = z.strictObject({
  /** `<folder>/<name>` of the copy, else of the declaration. */
  file: z.string(),
  refusal: z.enum(['download', 'skipped', 'missing']),
  /** The reason, as text. */
  found: z.string(),
  /** Indexes of the declarations that it belongs to. */
  patterns: z.array(z.int().nonnegative()),
  /** Whether a copy of an earlier night is among the files. */
  held: z.boolean(),
});

/** The files of one source tonight: digests, not bytes. */
export const snapshotSchema = z.strictObject({
  source: z.string(),
  files: z.array(snapshotFileSchema),
  /** Bundled copies, for files that may be refused. */
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
