import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { SCHEMA_VERSION } from '../merge/city-record.js';
import { POLICY_VERSION } from '../merge/precedence.js';
import { VERDICT_VERSION } from '../merge/verdict-record.js';
import { WRITER_VERSION } from '../mmdb/write.js';
import { inputSchema } from '../release/contract.js';
import { sha256Text } from '../release/digest.js';
import { lastRelease } from '../release/last-release.js';
import { ReleaseError, releaseId, releasesDir, UNFINISHED } from '../release/release-store.js';
import { examineRelease } from '../release/verify-release.js';
import { compileGeo, type Ingredients } from './compile-geo.js';
import { gazetteerResultSchema } from './gazetteer.js';
import { ingestResultSchema } from './ingest.js';
import type { BuildSettings } from './settings.js';
import type { Stage, StageContext } from './stage.js';
import { compiledFileSchema } from './write-dataset.js';

/** What a compile job answers with: parts of a manifest, and where the files lie. */
export const compileResultSchema = z.union([
  z.strictObject({
    kind: z.literal('unchanged'),
    /** Id of the current release, made from the same inputs. */
    id: z.string(),
    inputs: z.array(inputSchema),
  }),
  z.strictObject({
    kind: z.literal('compiled'),
    id: z.string(),
    buildKey: z.string(),
    buildEpoch: z.int(),
    workDir: z.string(),
    inputs: z.array(inputSchema),
    files: z.array(compiledFileSchema),
  }),
]);
export type CompileResult = z.infer<typeof compileResultSchema>;

/**
 * Compiles the datasets into a work folder beside the releases. When the current release came from the same inputs,
 * and the same was refused for it, there is nothing to do.
 */
export const compileDataset: Stage = async (_input, context) => {
  const { settings, children } = context;
  const ingests = settings.feeds.map((feed) => ingestResultSchema.parse(children[`ingest:${feed}`]));
  const ingredients = { ingests, gazetteer: gazetteerResultSchema.parse(children['gazetteer']) };
  const told = [...ingests.map(({ input }) => input), ...ingredients.gazetteer.inputs];
  const buildKey = keyOf(ingredients, settings);
  const unchangedId = await unchangedRelease(buildKey, context);
  if (unchangedId !== undefined) {
    return { kind: 'unchanged', id: unchangedId, inputs: told } satisfies CompileResult;
  }
  const buildEpoch = settings.sourceDateEpoch ?? Math.floor(Date.now() / 1000);
  const id = releaseId(buildEpoch, buildKey);
  const workDir = join(releasesDir(settings.outputDir), `${UNFINISHED}${id}`);
  await rm(workDir, { recursive: true, force: true });
  await mkdir(workDir, { recursive: true });
  const { files, inputs } = await compileGeo(ingredients, { workDir, buildEpoch }, context);
  return {
    kind: 'compiled',
    id,
    buildKey,
    buildEpoch,
    workDir,
    inputs: [...inputs],
    files: [...files],
  } satisfies CompileResult;
};

/**
 * Equal keys, equal datasets (but for the build epoch). Refusals are part of it: they change no dataset, but a night
 * with and one without are two releases.
 */
function keyOf({ ingests, gazetteer }: Ingredients, { datasetFeeds }: BuildSettings): string {
  const tables = ingests.map(({ input, table }) => `${input.feed} ${table?.key ?? 'nothing'}`);
  const places = Object.entries(gazetteer.editions ?? {}).map(
    ([edition, kept]) => `gazetteer ${edition} ${kept.key}`,
  );
  const versions = [
    `writer ${WRITER_VERSION}`,
    `policy ${POLICY_VERSION}`,
    `schema ${SCHEMA_VERSION}`,
    `verdicts ${VERDICT_VERSION}`,
  ];
  const inputs = [...ingests.map(({ input }) => input), ...gazetteer.inputs];
  const refused = inputs
    .flatMap(({ refusals }) => refusals)
    .map((refusal) => `refused ${JSON.stringify(refusal)}`);
  const licences = inputs.map(({ feed, licence }) => `licence ${feed} ${JSON.stringify(licence)}`);
  const chosen = `download ${[...datasetFeeds].sort().join(' ')}`;
  return sha256Text([...versions, chosen, ...tables, ...places, ...licences, ...refused].join('\n'));
}

/**
 * The current release if it was made from the same inputs; asked for a date, it must have that date. One that is
 * damaged is told: what is built takes its place.
 */
async function unchangedRelease(
  buildKey: string,
  { settings, log }: StageContext,
): Promise<string | undefined> {
  const { release: current, damaged } = await lastRelease(settings.outputDir);
  if (damaged !== undefined) {
    log(`the current release is damaged, a new one is built: ${damaged}`);
    return undefined;
  }
  if (settings.force === true || current?.manifest.buildKey !== buildKey) return undefined;
  const { sourceDateEpoch } = settings;
  if (sourceDateEpoch !== undefined && sourceDateEpoch !== current.manifest.buildEpoch) return undefined;
  const examined = await examineRelease(current.dir);
  if (examined instanceof ReleaseError) {
    log(`the current release is damaged, a new one is built: ${examined.message}`);
    return undefined;
  }
  log(`nothing new: release ${current.id} was made from the same inputs`);
  return current.id;
}
