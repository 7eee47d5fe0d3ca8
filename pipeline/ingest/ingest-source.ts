import { z } from 'zod';
import { RefusedFiles } from '../input/feed-error.js';
import { inputSchema, type ManifestRefusal } from '../release/contract.js';
import { readBestCopy } from '../snapshot/best-copy.js';
import { keyOfNormalised, normalisedName } from './cache-paths.js';
import { confirmFiles } from '../snapshot/confirmed-files.js';
import type { LastGoodFile, Snapshots } from '../snapshot/file-choice.js';
import { FileStore } from '../store/file-store.js';
import { KeptFolder } from '../store/kept-folder.js';
import { manifestFile, openFile } from '../snapshot/input-file.js';
import { lastGoodFiles, lastGoodRelease } from '../snapshot/last-good-files.js';
import { judgeFiles } from './judge-files.js';
import { readNormalised, type FileTallies, type NormalisedInput } from './normalised-input.js';
import { normalise } from './normalise.js';
import type { Reader } from './reader.js';
import { readerOf } from './readers.js';
import { snapshotSchema, type SnapshotFile } from '../snapshot/snapshot.js';
import { filesOfSource, mayBeAbsent, type InputFile } from '../snapshot/sources.js';
import type { Stage, StageContext } from '../stage/stage.js';

/**
 * The result of an ingest job: the source's part of the manifest, and its normalised input unless no file was usable.
 */
export const ingestResultSchema = z.strictObject({
  input: inputSchema,
  /** The name of the kept folder and the key of its content. */
  kept: z.strictObject({ folder: z.string(), key: z.string() }).exactOptional(),
});
export type IngestResult = z.infer<typeof ingestResultSchema>;

/**
 * Normalises the snapshot of a feed, a routing source or a list, or finds the result of equal files in the cache.
 * Replaces refused files by their last good copies. Without any usable file the result has no `kept`.
 */
export const ingestSource: Stage = async (input, context) => {
  const { source: id } = z.strictObject({ source: z.string() }).parse(input);
  const reader = readerOf(id);
  const patterns = filesOfSource(id);
  const store = new FileStore(context.settings.outputDir, context.remote);
  const { files: tonight, bundled, notFetched } = snapshotSchema.parse(context.children[`fetch:${id}`]);
  const last = await lastGoodRelease(context);
  const lastGood = await lastGoodFiles(last, id, { patterns, store });
  const refusals: ManifestRefusal[] = [];
  const ingestion = new Ingestion({ reader, patterns, store, lastGood, context });
  const known = { patterns, tonight, lastGood, bundled, notFetched };
  const { live } = context.settings;
  const { maxAgeDays } = reader.source;
  const snapshots = live ? confirmFiles(known, { since: live.since, maxAgeDays }) : known;
  // Feeds are requested by id, so missing files are reported. Routing sources and lists are optional.
  const best =
    isAnyOwn(snapshots) || !mayBeAbsent(id)
      ? await readBestCopy(snapshots, refusals, (files) => ingestion.read(files))
      : undefined;
  for (const { file, refusal, found } of refusals) context.log(`${file} refused: ${refusal}: ${found}`);
  logWithdrawn(best?.withdrawn ?? [], context);
  const { publisher, licence, version: adapterVersion } = reader.source;
  const files = best?.files.map((file) => {
    return manifestFile(file, best.result.kept.tallies[file.id]!, best.lastGood.has(file.id));
  });
  const described = { feed: id, publisher, licence, adapterVersion, files: files ?? [], refusals };
  if (!best) return { input: described } satisfies IngestResult;
  const { kept, folder, key } = best.result;
  return {
    input: { ...described, ...(kept.networks !== undefined && { networks: kept.networks }) },
    kept: { folder, key },
  } satisfies IngestResult;
};

/** Whether any of the source's own files exists tonight, has a last good copy, or failed to download. */
function isAnyOwn({ patterns, tonight, lastGood, notFetched = [] }: Snapshots): boolean {
  const isOwn = (pattern: number): boolean => patterns[pattern]?.shared !== true;
  return (
    [...tonight, ...lastGood].some(({ pattern }) => isOwn(pattern)) ||
    notFetched.some((missed) => missed.patterns.some(isOwn))
  );
}

/** Logs withdrawn files in one line: a folder of geofeeds may have thousands. */
function logWithdrawn(ids: readonly string[], { log }: StageContext): void {
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

/** Normalises one source, once for each choice of files. */
class Ingestion {
  readonly #parts: IngestionParts;

  constructor(parts: IngestionParts) {
    this.#parts = parts;
  }

  async read(
    files: readonly SnapshotFile[],
  ): Promise<{ kept: NormalisedInput; folder: string; key: string }> {
    const { reader, context } = this.#parts;
    const { id, version } = reader.source;
    const key = keyOfNormalised(id, version, files);
    const folder = new KeptFolder(context.settings.outputDir, normalisedName(id, key), context.remote);
    const found = await readNormalised(folder, context.log);
    if (found) context.log('unchanged: using the normalised input of an earlier run');
    // The cached input was good when it was written. Compared with a newer release it may have shrunk.
    if (found) this.#judge(files, found.tallies);
    const kept = found ?? (await this.#normalise(files, folder));
    return { kept, folder: folder.name, key };
  }

  async #normalise(files: readonly SnapshotFile[], folder: KeptFolder): Promise<NormalisedInput> {
    const { reader, patterns, store, context } = this.#parts;
    const { live } = context.settings;
    await store.bring(files);
    const bytesTotal = files.reduce((sum, file) => sum + file.sizeBytes, 0);
    const shared = files.filter(({ pattern }) => patterns[pattern]?.shared === true);
    return normalise({
      reader,
      folder,
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
    const { tolerance, maxAgeDays } = reader.source;
    const measure = { tolerance, patterns, lastGood, ...(maxAgeDays !== undefined && { maxAgeDays }) };
    const refusals = judgeFiles(files, tallies, measure);
    if (refusals.length > 0) throw new RefusedFiles(refusals);
  }
}
