import { z } from 'zod';
import type { Feed, FeedFile } from '../feeds/feed.js';
import { inputSchema, type ManifestRefusal } from '../release/contract.js';
import type { Stage, StageContext } from './stage.js';
import { RefusedFiles } from '../feeds/feed-error.js';
import { readBestCopy } from './best-copy.js';
import type { LastGoodFile } from './file-choice.js';
import { tableDir } from './cache-places.js';
import { FileStore } from './file-store.js';
import { keyOfFiles, lastGoodFiles, lastGoodRelease, manifestFile, openFile } from './inputs.js';
import { judgeFiles } from './judge-files.js';
import { normalise, readNormalised, type FileTallies, type NormalisedFeed } from './normalise.js';
import { snapshotSchema, type SnapshotFile } from './snapshot.js';
import { feedById, filesOfSource } from './sources.js';

/** What an ingest job answers with: the feed's part of the manifest, and its table unless nothing was usable. */
export const ingestResultSchema = z.strictObject({
  input: inputSchema,
  table: z.strictObject({ path: z.string(), key: z.string() }).exactOptional(),
});
export type IngestResult = z.infer<typeof ingestResultSchema>;

/**
 * Reads a feed's snapshot into its normalised table, or finds the table that equal files gave before. Files that
 * are refused give way to their last good copies; a feed of which nothing is usable has no table.
 */
export const ingestFeed: Stage = async (input, context) => {
  const { feed: id } = z.strictObject({ feed: z.string() }).parse(input);
  const feed = feedById(id);
  const patterns = filesOfSource(id);
  const store = new FileStore(context.settings.outputDir);
  const { files: tonight, bundled, notFetched } = snapshotSchema.parse(context.children[`fetch:${id}`]);
  const last = await lastGoodRelease(context.settings);
  const lastGood = await lastGoodFiles(last, id, { patterns, store });
  const refusals: ManifestRefusal[] = [];
  const ingestion = new Ingestion({ feed, patterns, store, lastGood, context });
  const snapshots = { patterns, tonight, lastGood, bundled, notFetched };
  const best = await readBestCopy(snapshots, refusals, (files) => ingestion.read(files));
  for (const { file, refusal, found } of refusals) context.log(`${file} refused: ${refusal}: ${found}`);
  tellWithdrawn(best?.withdrawn ?? [], context);
  const { publisher, licence, version: adapterVersion } = feed;
  const files = best?.files.map((file) => {
    return manifestFile(file, best.result.normalised.tallies[file.id]!, best.lastGood.has(file.id));
  });
  const described = { feed: id, publisher, licence, adapterVersion, files: files ?? [], refusals };
  if (!best) return { input: described } satisfies IngestResult;
  const { normalised, key } = best.result;
  return {
    input: { ...described, networks: normalised.networks },
    table: { path: normalised.tablePath, key },
  } satisfies IngestResult;
};

/** One line however many files went: a folder of geofeeds has thousands. */
function tellWithdrawn(ids: readonly string[], { log }: StageContext): void {
  if (ids.length === 0) return;
  const named = ids.slice(0, NAMED_FILES).join(', ');
  const more = ids.length > NAMED_FILES ? `, and ${ids.length - NAMED_FILES} more` : '';
  log(`withdrawn since the last release and left out: ${named}${more}`);
}

const NAMED_FILES = 10;

interface IngestionParts {
  readonly feed: Feed;
  readonly patterns: readonly FeedFile[];
  readonly store: FileStore;
  readonly lastGood: readonly LastGoodFile[];
  readonly context: StageContext;
}

/** Reads one feed, once per choice of files. */
class Ingestion {
  readonly #parts: IngestionParts;

  constructor(parts: IngestionParts) {
    this.#parts = parts;
  }

  async read(files: readonly SnapshotFile[]): Promise<{ normalised: NormalisedFeed; key: string }> {
    const { feed, context } = this.#parts;
    const key = keyOfFiles(`${feed.id} ${feed.version}`, files);
    const dir = tableDir(context.settings.outputDir, feed.id, key);
    const kept = await readNormalised(dir, context.log);
    if (kept) context.log('unchanged: its table is kept from an earlier run');
    // What was good when it was kept may have shrunk beside a release made since.
    if (kept) this.#judge(files, kept.tallies);
    const normalised = kept ?? (await this.#normalise(files, dir));
    return { normalised, key };
  }

  #normalise(files: readonly SnapshotFile[], dir: string): Promise<NormalisedFeed> {
    const { feed, patterns, store, context } = this.#parts;
    const bytesTotal = files.reduce((sum, file) => sum + file.sizeBytes, 0);
    return normalise({
      feed,
      dir,
      judge: (tallies) => {
        this.#judge(files, tallies);
      },
      open: (onRead) => files.map((file) => openFile(file, patterns, store, onRead)),
      onProgress: (progress) => {
        context.progress({ ...progress, bytesTotal });
      },
    });
  }

  #judge(files: readonly SnapshotFile[], tallies: FileTallies): void {
    const refusals = judgeFiles(files, tallies, this.#parts);
    if (refusals.length > 0) throw new RefusedFiles(refusals);
  }
}
