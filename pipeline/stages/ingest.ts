import { z } from 'zod';
import { RefusedFiles } from '../feeds/feed-error.js';
import { inputSchema, type ManifestRefusal } from '../release/contract.js';
import { readBestCopy } from './best-copy.js';
import { keyOfReading, readingDir } from './cache-places.js';
import { confirmFiles } from './confirmed-files.js';
import type { LastGoodFile, Snapshots } from './file-choice.js';
import { FileStore } from './file-store.js';
import { lastGoodFiles, lastGoodRelease, manifestFile, openFile } from './inputs.js';
import { judgeFiles } from './judge-files.js';
import { readKept, type FileTallies, type KeptReading } from './kept-reading.js';
import { normalise } from './normalise.js';
import type { Reader } from './reader.js';
import { readerOf } from './readers.js';
import { snapshotSchema, type SnapshotFile } from './snapshot.js';
import { filesOfSource, mayBeAbsent, type InputFile } from './sources.js';
import type { Stage, StageContext } from './stage.js';

/** What an ingest job answers with: the source's part of the manifest, and what was read unless nothing was usable. */
export const ingestResultSchema = z.strictObject({
  input: inputSchema,
  /** The folder in the cache, and a key that says what is in it. */
  kept: z.strictObject({ dir: z.string(), key: z.string() }).exactOptional(),
});
export type IngestResult = z.infer<typeof ingestResultSchema>;

/**
 * Reads the snapshot of a feed, a routing source or a list, or finds what equal files gave before. Files that are refused
 * give way to their last good copies; a source of which nothing is usable has nothing kept.
 */
export const ingestSource: Stage = async (input, context) => {
  const { source: id } = z.strictObject({ source: z.string() }).parse(input);
  const reader = readerOf(id);
  const patterns = filesOfSource(id);
  const store = new FileStore(context.settings.outputDir);
  const { files: tonight, bundled, notFetched } = snapshotSchema.parse(context.children[`fetch:${id}`]);
  const last = await lastGoodRelease(context.settings);
  const lastGood = await lastGoodFiles(last, id, { patterns, store });
  const refusals: ManifestRefusal[] = [];
  const ingestion = new Ingestion({ reader, patterns, store, lastGood, context });
  const known = { patterns, tonight, lastGood, bundled, notFetched };
  const { live } = context.settings;
  const { maxAgeDays } = reader;
  const isLiveList = live !== undefined && maxAgeDays !== undefined;
  const snapshots = isLiveList ? confirmFiles(known, { since: live.since, maxAgeDays }) : known;
  // Whose feeds are built is asked for; of the others nothing may be there, and that is no fault of the night.
  const best =
    isAnyOwn(snapshots) || !mayBeAbsent(id)
      ? await readBestCopy(snapshots, refusals, (files) => ingestion.read(files))
      : undefined;
  for (const { file, refusal, found } of refusals) context.log(`${file} refused: ${refusal}: ${found}`);
  tellWithdrawn(best?.withdrawn ?? [], context);
  const { publisher, licence, version: adapterVersion } = reader;
  const files = best?.files.map((file) => {
    return manifestFile(file, best.result.kept.tallies[file.id]!, best.lastGood.has(file.id));
  });
  const described = { feed: id, publisher, licence, adapterVersion, files: files ?? [], refusals };
  if (!best) return { input: described } satisfies IngestResult;
  const { kept, key } = best.result;
  return {
    input: { ...described, ...(kept.networks !== undefined && { networks: kept.networks }) },
    kept: { dir: kept.dir, key },
  } satisfies IngestResult;
};

/** Whether anything is known of the source's own files: there tonight, kept, or told not to have come. */
function isAnyOwn({ patterns, tonight, lastGood, notFetched = [] }: Snapshots): boolean {
  const isOwn = (pattern: number): boolean => patterns[pattern]?.shared !== true;
  return (
    [...tonight, ...lastGood].some(({ pattern }) => isOwn(pattern)) ||
    notFetched.some((missed) => missed.patterns.some(isOwn))
  );
}

/** One line however many files went: a folder of geofeeds has thousands. */
function tellWithdrawn(ids: readonly string[], { log }: StageContext): void {
  if (ids.length === 0) return;
  const named = ids.slice(0, NAMED_FILES).join(', ');
  const more = ids.length > NAMED_FILES ? `, and ${ids.length - NAMED_FILES} more` : '';
  log(`withdrawn since the last release and left out: ${named}${more}`);
}

const NAMED_FILES = 10;

interface IngestionParts {
  readonly reader: Reader;
  readonly patterns: readonly InputFile[];
  readonly store: FileStore;
  readonly lastGood: readonly LastGoodFile[];
  readonly context: StageContext;
}

/** Reads one feed or source, once per choice of files. */
class Ingestion {
  readonly #parts: IngestionParts;

  constructor(parts: IngestionParts) {
    this.#parts = parts;
  }

  async read(files: readonly SnapshotFile[]): Promise<{ kept: KeptReading; key: string }> {
    const { reader, context } = this.#parts;
    const key = keyOfReading(reader.id, reader.version, files);
    const dir = readingDir(context.settings.outputDir, reader.id, key);
    const found = await readKept(dir, context.log);
    if (found) context.log('unchanged: what was read of it is kept from an earlier run');
    // What was good when it was kept may have shrunk beside a release made since.
    if (found) this.#judge(files, found.tallies);
    return { kept: found ?? (await this.#normalise(files, dir)), key };
  }

  #normalise(files: readonly SnapshotFile[], dir: string): Promise<KeptReading> {
    const { reader, patterns, store, context } = this.#parts;
    const { live } = context.settings;
    const bytesTotal = files.reduce((sum, file) => sum + file.sizeBytes, 0);
    const shared = files.filter(({ pattern }) => patterns[pattern]?.shared === true);
    return normalise({
      reader,
      dir,
      shared: new Set(shared.map(({ id }) => id)),
      judge: (tallies) => {
        this.#judge(files, tallies);
      },
      open: (onRead) => files.map((file) => openFile(file, patterns, store, onRead)),
      onProgress: (progress) => {
        context.progress({ ...progress, bytesTotal });
      },
      log: context.log,
      ...(live && { now: new Date(live.since) }),
    });
  }

  #judge(files: readonly SnapshotFile[], tallies: FileTallies): void {
    const { reader, patterns, lastGood } = this.#parts;
    const { tolerance, maxAgeDays } = reader;
    const measure = { tolerance, patterns, lastGood, ...(maxAgeDays !== undefined && { maxAgeDays }) };
    const refusals = judgeFiles(files, tallies, measure);
    if (refusals.length > 0) throw new RefusedFiles(refusals);
  }
}
