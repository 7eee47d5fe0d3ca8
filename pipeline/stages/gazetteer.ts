import { z } from 'zod';
import type { OpenFile } from '../feeds/feed.js';
import { FeedError } from '../feeds/feed-error.js';
import {
  GAZETTEER_FILES,
  GAZETTEER_ID,
  GAZETTEER_SOURCES,
  GAZETTEER_VERSION,
  type GazetteerSource,
} from '../gazetteer/source.js';
import { inputSchema, type Manifest, type ManifestInput, type ManifestRefusal } from '../release/contract.js';
import { sha256Text } from '../release/digest.js';
import type { Stage, StageContext } from './stage.js';
import { readBestCopy, type BestCopy } from './best-copy.js';
import { gazetteerDir, gazetteerEdition, keyOfGazetteer, type EditionName } from './cache-places.js';
import type { LastGoodFile } from './file-choice.js';
import { FileStore } from './file-store.js';
import { makeEditions } from './gazetteer-editions.js';
import { lastGoodFiles, lastGoodRelease, manifestFile, openFile } from './inputs.js';
import { readKept, type FileTallies } from './kept-reading.js';
import { snapshotSchema, type SnapshotFile } from './snapshot.js';

const editionSchema = z.strictObject({ path: z.string(), key: z.string() });

/** What the gazetteer job answers with. */
export const gazetteerResultSchema = z.strictObject({
  /** One per publisher that something was read of, or refused. */
  inputs: z.array(inputSchema),
  /**
   * `full` is made from every source, `open` from those whose licences allow it in a file that others download. Absent
   * when no gazetteer could be made: names are then missing.
   */
  editions: z.strictObject({ full: editionSchema, open: editionSchema }).exactOptional(),
});
export type GazetteerResult = z.infer<typeof gazetteerResultSchema>;

/** Makes both editions of the gazetteer, or finds those that equal files gave before. */
export const makeGazetteer: Stage = async (_input, context) => {
  const { outputDir } = context.settings;
  const patterns = GAZETTEER_FILES;
  const store = new FileStore(outputDir);
  const { files: tonight, notFetched } = snapshotSchema.parse(context.children[`fetch:${GAZETTEER_ID}`]);
  const lastGood = await lastGoodOfSources(await lastGoodRelease(context.settings), store);
  const refusals: ManifestRefusal[] = [];
  const best = await readBestCopy({ patterns, tonight, lastGood, notFetched }, refusals, async (files) => {
    const made = await editionsOf(files, store, context);
    refuseShrunk(files, made.tallies, lastGood);
    return made;
  });
  for (const { file, refusal, found } of refusals) context.log(`${file} refused: ${refusal}: ${found}`);
  if (best && !best.files.some(({ folder }) => folder === GAZETTEER_ID)) {
    context.log('no GeoNames files: cities have no open names, and text is matched with GeoLite2 alone');
  }
  const inputs = GAZETTEER_SOURCES.flatMap((source) => inputOf(source, best, refusals));
  return (best ? { inputs, editions: best.result.editions } : { inputs }) satisfies GazetteerResult;
};

/** The last good copies of every source's files. A file that a feed reads too is as good as that feed found it. */
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

/** The editions of these files, found again or made. */
async function editionsOf(
  files: readonly SnapshotFile[],
  store: FileStore,
  { settings, log }: StageContext,
): Promise<Made> {
  const key = keyOfGazetteer(GAZETTEER_VERSION, files);
  const dir = gazetteerDir(settings.outputDir, key);
  const open = (): OpenFile[] => files.map((file) => openFile(file, GAZETTEER_FILES, store, () => undefined));
  const { tallies } = (await readKept(dir, log)) ?? (await makeEditions(dir, open()));
  const editionOf = (edition: EditionName) => ({
    path: gazetteerEdition(dir, edition),
    key: sha256Text(`${key} ${edition}`),
  });
  return { editions: { full: editionOf('full'), open: editionOf('open') }, tallies };
}

/** Throws FeedError `shrunk` for a file with less than half the rows of its last good copy. */
function refuseShrunk(
  files: readonly SnapshotFile[],
  tallies: Made['tallies'],
  lastGood: readonly LastGoodFile[],
): void {
  for (const { id } of files) {
    const rows = tallies[id]?.rows ?? 0;
    const before = lastGood.find((kept) => kept.id === id)?.rows ?? 0;
    // The rows of a file that a feed reads too are counted there in another way.
    const isJudgedHere = id.startsWith(`${GAZETTEER_ID}/`);
    if (isJudgedHere && rows < before / 2) {
      throw new FeedError('shrunk', id, `${rows} rows, the last good copy had ${before}`);
    }
  }
}

/** A source's part of the manifest; none where nothing of it was there. What comes with the project is always there. */
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
