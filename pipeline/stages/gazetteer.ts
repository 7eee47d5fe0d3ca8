import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { toJson } from '../gazetteer/gazetteer-json.js';
import { readGazetteer } from '../gazetteer/read-gazetteer.js';
import { GAZETTEER_SOURCE } from '../gazetteer/source.js';
import { inputSchema, type ManifestRefusal } from '../release/contract.js';
import { currentRelease } from '../release/release-store.js';
import type { Stage } from './stage.js';
import { readBestCopy } from './best-copy.js';
import { gazetteerPath } from './cache-places.js';
import { FileStore } from './file-store.js';
import { keyOfFiles, lastGoodFiles, manifestFile, openFile } from './inputs.js';
import { snapshotSchema, type SnapshotFile } from './snapshot.js';

/** What the gazetteer job answers with. */
export const gazetteerResultSchema = z.strictObject({
  input: inputSchema,
  /** Absent when no gazetteer could be made: names are then missing. */
  gazetteer: z.strictObject({ path: z.string(), key: z.string() }).exactOptional(),
});
export type GazetteerResult = z.infer<typeof gazetteerResultSchema>;

/** Makes the gazetteer, or finds the one that equal files gave before. */
export const makeGazetteer: Stage = async (_input, context) => {
  const { outputDir } = context.settings;
  const { id, publisher, licence, version, files: patterns } = GAZETTEER_SOURCE;
  const store = new FileStore(outputDir);
  const { files: tonight, notFetched } = snapshotSchema.parse(context.children[`fetch:${id}`]);
  const last = (await currentRelease(outputDir))?.manifest;
  const lastGood = await lastGoodFiles(last, id, { patterns, store });
  const refusals: ManifestRefusal[] = [];
  const read = async (files: readonly SnapshotFile[]): Promise<{ path: string; key: string }> => {
    const key = keyOfFiles(`${id} ${version}`, files);
    const path = gazetteerPath(outputDir, key);
    if (await stat(path).catch(() => undefined)) return { path, key };
    const gazetteer = await readGazetteer(
      files.map((file) => openFile(file, patterns, store, () => undefined)),
    );
    await keep(path, toJson(gazetteer));
    return { path, key };
  };
  const best = await readBestCopy({ patterns, tonight, lastGood, notFetched }, refusals, read);
  for (const { file, refusal, found } of refusals) context.log(`${file} refused: ${refusal}: ${found}`);
  const files = best?.files.map((file) => manifestFile(file, NO_ROWS, best.lastGood.has(file.id)));
  const input = { feed: id, publisher, licence, adapterVersion: version, files: files ?? [], refusals };
  return (best ? { input, gazetteer: best.result } : { input }) satisfies GazetteerResult;
};

/** The rows of the gazetteer's files are counted by the feed that publishes them. */
const NO_ROWS = { rows: 0, accepted: 0, rejected: 0, rejections: {}, notes: {} };

async function keep(path: string, json: string): Promise<void> {
  const beside = `${path}.tmp-${process.pid}`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(beside, json, { flush: true });
  await rename(beside, path);
}
