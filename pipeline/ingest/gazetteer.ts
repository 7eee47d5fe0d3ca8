import { z } from 'zod';
import { FeedError } from '../input/feed-error.js';
import {
  GAZETTEER_FILES,
  GAZETTEER_ID,
  GAZETTEER_SOURCES,
  GAZETTEER_VERSION,
  type GazetteerSource,
} from '../gazetteer/source.js';
import { inputSchema, type Manifest, type ManifestInput, type ManifestRefusal } from '../release/contract.js';
import { sha256Text } from '../release/digest.js';
import type { Stage, StageContext } from '../stage/stage.js';
import { readBestCopy, type BestCopy } from '../snapshot/best-copy.js';
import { gazetteerName, keyOfGazetteer, type EditionName } from './cache-paths.js';
import type { LastGoodFile } from '../snapshot/file-choice.js';
import { FileStore } from '../store/file-store.js';
import { KeptFolder } from '../store/kept-folder.js';
import { makeEditions } from './gazetteer-editions.js';
import { manifestFile, openFile } from '../snapshot/input-file.js';
import { lastGoodFiles, lastGoodRelease } from '../snapshot/last-good-files.js';
import { readNormalised, type FileTallies, type NormalisedInput } from './normalised-input.js';
import { snapshotSchema, type SnapshotFile } from '../snapshot/snapshot.js';

/** An edition in a kept folder: the folder's name, and the key of the edition's content. */
const editionSchema = z.strictObject({ folder: z.string(), key: z.string() });

/** The result of the gazetteer job. */
export const gazetteerResultSchema = z.strictObject({
  /** One for each publisher with a used or refused file. */
  inputs: z.array(inputSchema),
  /**
   * `full` contains every source, `open` only sources whose licences permit redistribution. Absent if no gazetteer
   * could be made; names are then missing.
   */
  editions: z.strictObject({ full: editionSchema, open: editionSchema }).exactOptional(),
});
export type GazetteerResult = z.infer<typeof gazetteerResultSchema>;

/** Makes both editions of the gazetteer, or finds them in the cache. */
export const makeGazetteer: Stage = async (_input, context) => {
  const patterns = GAZETTEER_FILES;
  const store = new FileStore(context.settings.outputDir, context.remote);
  const { files: tonight, notFetched } = snapshotSchema.parse(context.children[`fetch:${GAZETTEER_ID}`]);
  const lastGood = await lastGoodOfSources(await lastGoodRelease(context), store);
  const refusals: ManifestRefusal[] = [];
  const best = await readBestCopy({ patterns, tonight, lastGood, notFetched }, refusals, async (files) => {
    const made = await editionsOf(files, store, context);
    refuseShrunk(files, made.tallies, lastGood);
    return made;
  });
  for (const { file, refusal, found } of refusals) context.log(`${file} refused: ${refusal}: ${found}`);
  if (best && !best.files.some(({ folder }) => folder === GAZETTEER_ID)) {
    context.log(
      'no GeoNames files: files for download have no city names; place names are matched with GeoLite2 only',
    );
  }
  const inputs = GAZETTEER_SOURCES.flatMap((source) => inputOf(source, best, refusals));
  return (best ? { inputs, editions: best.result.editions } : { inputs }) satisfies GazetteerResult;
};

/**
 * Returns the last good copies of every source's files. For a file that a feed also reads, the result of that feed
 * counts.
 */
async function lastGoodOfSources(last: Manifest | undefined, store: FileStore): Promise<LastGoodFile[]> {
  const found: LastGoodFile[] = [];
  for (const source of GAZETTEER_SOURCES as readonly GazetteerSource[]) {
    const files = await lastGoodFiles(last, source.judgedBy ?? source.id, {
      patterns: GAZETTEER_FILES,
      store,
    });
    found.push(...files.filter((file) => isOf(source, file.pattern)));
  }
  return found;
}

interface Made {
  readonly editions: NonNullable<GazetteerResult['editions']>;
  readonly tallies: FileTallies;
}

/** Finds the editions of these files in the cache, or makes them. */
async function editionsOf(
  files: readonly SnapshotFile[],
  store: FileStore,
  context: StageContext,
): Promise<Made> {
  const { settings, log, remote } = context;
  const key = keyOfGazetteer(GAZETTEER_VERSION, files);
  const folder = new KeptFolder(settings.outputDir, gazetteerName(key), remote);
  const make = async (): Promise<NormalisedInput> => {
    await store.bring(files);
    return makeEditions(
      folder,
      files.map((file) => openFile(file, GAZETTEER_FILES, store, () => undefined)),
      context,
    );
  };
  const { tallies } = (await readNormalised(folder, log)) ?? (await make());
  const editionOf = (edition: EditionName) => ({
    folder: folder.name,
    key: sha256Text(`${key} ${edition}`),
  });
  return { editions: { full: editionOf('full'), open: editionOf('open') }, tallies };
}

/** Throws FeedError `shrunk` if a file has less than half the rows of its last good copy. */
function refuseShrunk(
  files: readonly SnapshotFile[],
  tallies: Made['tallies'],
  lastGood: readonly LastGoodFile[],
): void {
  for (const { id } of files) {
    const rows = tallies[id]?.rows ?? 0;
    const before = lastGood.find((kept) => kept.id === id)?.rows ?? 0;
    // A file that a feed also reads is judged by that feed, which counts its rows differently.
    const isJudgedHere = id.startsWith(`${GAZETTEER_ID}/`);
    if (isJudgedHere && rows < before / 2) {
      throw new FeedError('shrunk', id, `${rows} rows; the last good copy had ${before}`);
    }
  }
}

/**
 * Returns a source's part of the manifest, empty if it has no files and no refusals. Bundled sources are always listed.
 */
function inputOf(
  source: GazetteerSource,
  best: BestCopy<Made> | undefined,
  refusals: readonly ManifestRefusal[],
): ManifestInput[] {
  const { id, publisher, licence } = source;
  const files = (best?.files ?? [])
    .filter((file) => isOf(source, file.pattern))
    .map((file) => manifestFile(file, best!.result.tallies[file.id]!, best!.lastGood.has(file.id)));
  const own = refusals.filter(({ file }) => sourceOfRefusal(file) === id);
  const comesAlong = source.files.length === 0 && best !== undefined;
  if (files.length === 0 && own.length === 0 && !comesAlong) return [];
  return [{ feed: id, publisher, licence, adapterVersion: GAZETTEER_VERSION, files, refusals: own }];
}

function isOf(source: GazetteerSource, pattern: number): boolean {
  return source.files.includes(GAZETTEER_FILES[pattern]!);
}

function sourceOfRefusal(file: string): string {
  const byName = (GAZETTEER_SOURCES as readonly GazetteerSource[]).find((source) =>
    source.files.some(({ folder, name }) =>
      name.includes('*') ? file.startsWith(`${folder}/`) : file === `${folder}/${name}`,
    ),
  );
  return byName?.id ?? GAZETTEER_ID;
}
