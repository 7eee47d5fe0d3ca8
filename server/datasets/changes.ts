import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import { Failure } from '../failure.js';
import type { Dataset, DatasetName, DeltaFile } from '../release/snapshot.js';

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const size = z.int().nonnegative();

/** `data` of the notification: the current file, and the deltas that lead to it (decision 85). */
export const notificationSchema = z
  .strictObject({
    session: z.string().describe('Identifies the sequence of files'),
    serial: z.int().positive().describe('Number of the current file in the sequence'),
    snapshot: z
      .strictObject({
        uri: z.string().describe('The whole file'),
        sha256: digest.describe('Its digest'),
        size: size.describe('Its bytes'),
      })
      .describe('The current file'),
    deltas: z
      .array(
        z.strictObject({
          serial: z.int().positive().describe('Number of the file that it leads to'),
          uri: z.string().describe('The delta'),
          sha256: digest.describe('Digest of the delta'),
          size: size.describe('Bytes of the delta'),
          from_sha256: digest.describe('Digest of the file that it begins from'),
          to_sha256: digest.describe('Digest of the file that it leads to'),
          changes: z.int().nonnegative().describe('Changed places of the tree'),
        }),
      )
      .describe('Contiguous, the oldest first; empty if the file of `since` is the current one'),
  })
  .meta({ id: 'DatasetChanges' });
export type Notification = z.infer<typeof notificationSchema>;

/** Returns the notification of a dataset with some of its deltas. */
export function notificationOf(
  name: DatasetName,
  dataset: Dataset,
  deltas: readonly DeltaFile[],
): Notification {
  const uri = `/api/datasets/${name}`;
  const { session, serial } = dataset.sequence;
  return {
    session,
    serial,
    snapshot: { uri, sha256: dataset.sha256, size: dataset.sizeBytes },
    deltas: deltas.map((delta) => ({
      serial: delta.serial,
      uri: `${uri}/changes/${delta.sha256}`,
      sha256: delta.sha256,
      size: delta.sizeBytes,
      from_sha256: delta.from.sha256,
      to_sha256: delta.to.sha256,
      changes: delta.changes,
    })),
  };
}

/**
 * Returns the deltas that lead from a file to the current one; all without `since`. Throws Failure(404) with the advice
 * to download the whole file when the file is not in the sequence.
 */
export function deltasSince(name: DatasetName, dataset: Dataset, since?: string): readonly DeltaFile[] {
  const { deltas } = dataset.sequence;
  if (since === undefined) return deltas;
  if (since === dataset.sha256) return [];
  const first = deltas.findIndex(({ from }) => from.sha256 === since);
  if (first >= 0) return deltas.slice(first);
  const uri = `/api/datasets/${name}`;
  throw new Failure(404, `no changes since ${since}: download the whole file`, {
    snapshot: { uri, sha256: dataset.sha256, size: dataset.sizeBytes },
  });
}

/** Returns a delta by its digest. Throws Failure(404) when the release does not have it. */
export function requireDelta(dataset: Dataset, sha256: string): DeltaFile {
  const delta = dataset.sequence.deltas.find((one) => one.sha256 === sha256);
  if (delta) return delta;
  throw new Failure(404, `no delta ${sha256}: ask for the changes again`);
}

/** Streams the changes of deltas as CSV with a header. */
export function rowsOf(deltas: readonly DeltaFile[]): Readable {
  return Readable.from(rows(deltas), { objectMode: false });
}

async function* rows(deltas: readonly DeltaFile[]): AsyncGenerator<Buffer | string, void> {
  yield 'build,network,field,before,after\r\n';
  for (const delta of deltas) {
    const file = createReadStream(delta.rows.path);
    const text = createGunzip();
    // An error of the file ends the reader of the text too.
    file.on('error', (error) => text.destroy(error));
    try {
      for await (const bytes of file.pipe(text)) yield bytes as Buffer;
    } finally {
      file.destroy();
    }
  }
}
