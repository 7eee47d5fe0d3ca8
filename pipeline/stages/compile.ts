import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readClaims } from '../feeds/claim-file.js';
import { fromJson } from '../gazetteer/gazetteer-json.js';
import { Gazetteer } from '../gazetteer/gazetteer.js';
import { CITY_LANGUAGES, CITY_SCHEMA, CityRecords, SCHEMA_VERSION } from '../merge/city-record.js';
import { mergeTables, type FeedTable, type MergedTable } from '../merge/merge-tables.js';
import { POLICY_VERSION } from '../merge/precedence.js';
import { resolveClaims } from '../merge/resolve-claims.js';
import { writeMmdb, type WrittenMmdb } from '../mmdb/write.js';
import {
  datasetFileSchema,
  inputSchema,
  type ManifestFile,
  type ManifestRefusal,
} from '../release/contract.js';
import { sha256Text } from '../release/digest.js';
import { currentRelease, releaseId, releasesDir, UNFINISHED } from '../release/release-store.js';
import { verifyRelease } from '../release/verify-release.js';
import type { Stage, StageContext } from './stage.js';
import { measureCoverage } from './coverage.js';
import { examine, examinationSchema } from './examine.js';
import { gazetteerResultSchema, type GazetteerResult } from './gazetteer.js';
import { ingestResultSchema, type IngestResult } from './ingest.js';
import { feedById } from './sources.js';

/** What a compile job answers with: parts of a manifest, and where the files lie. */
export const compileResultSchema = z.union([
  z.strictObject({
    kind: z.literal('unchanged'),
    /** Id of the current release, made from the same inputs. */
    id: z.string(),
  }),
  z.strictObject({
    kind: z.literal('compiled'),
    id: z.string(),
    buildKey: z.string(),
    buildEpoch: z.int(),
    workDir: z.string(),
    inputs: z.array(inputSchema),
    file: datasetFileSchema,
    examination: examinationSchema,
  }),
]);
export type CompileResult = z.infer<typeof compileResultSchema>;

/**
 * Merges the normalised tables into `geo.mmdb`, written into a work folder beside the releases. When nothing was
 * refused and the current release came from the same inputs, there is nothing to do.
 */
export const compileDataset: Stage = async (_input, context) => {
  const { settings, children } = context;
  const ingests = settings.feeds.map((feed) => ingestResultSchema.parse(children[`ingest:${feed}`]));
  const gazetteer = gazetteerResultSchema.parse(children['gazetteer']);
  const inputs = [...ingests, gazetteer].map(({ input }) => input);
  const refusals = inputs.flatMap((input) => input.refusals);
  const buildKey = keyOf(ingests, gazetteer, refusals);
  // A feed without its key is the same every night; what else was refused must be told by a release.
  if (refusals.every(({ refusal }) => refusal === 'skipped')) {
    const id = await unchangedRelease(buildKey, context);
    if (id !== undefined) return { kind: 'unchanged', id } satisfies CompileResult;
  }
  const buildEpoch = settings.sourceDateEpoch ?? Math.floor(Date.now() / 1000);
  const id = releaseId(buildEpoch, buildKey);
  const workDir = join(releasesDir(settings.outputDir), `${UNFINISHED}${id}`);
  await rm(workDir, { recursive: true, force: true });
  await mkdir(workDir, { recursive: true });
  const { merged, names } = await mergeFeeds(ingests, gazetteer, context);
  const path = join(workDir, 'geo.mmdb');
  context.progress({ text: 'writing' });
  const written = writeGeo(path, merged, { names, buildEpoch });
  context.progress({ text: 'verifying' });
  const examination = await examine(path, CITY_SCHEMA);
  const file = describeFile(written, merged, buildEpoch);
  context.progress({ text: `${file.coverage.networks} networks` });
  return {
    kind: 'compiled',
    id,
    buildKey,
    buildEpoch,
    workDir,
    inputs,
    file,
    examination,
  } satisfies CompileResult;
};

/**
 * Equal keys, equal datasets (but for the build epoch). Refusals are part of it: they change no dataset, but a night
 * with and one without are two releases.
 */
function keyOf(
  ingests: readonly IngestResult[],
  gazetteer: GazetteerResult,
  refusals: readonly ManifestRefusal[],
): string {
  const parts = ingests.map(({ input, table }) => `${input.feed} ${table?.key ?? 'nothing'}`);
  const place = `gazetteer ${gazetteer.gazetteer?.key ?? 'nothing'}`;
  const versions = [`policy ${POLICY_VERSION}`, `schema ${SCHEMA_VERSION}`];
  const refused = refusals.map((refusal) => `refused ${JSON.stringify(refusal)}`);
  return sha256Text([...versions, ...parts, place, ...refused].join('\n'));
}

/** The current release if it is whole and was made from the same inputs; asked for a date, it must have that date. */
async function unchangedRelease(
  buildKey: string,
  { settings, log }: StageContext,
): Promise<string | undefined> {
  const current = await currentRelease(settings.outputDir);
  if (settings.force === true || current?.manifest.buildKey !== buildKey) return undefined;
  const { sourceDateEpoch } = settings;
  if (sourceDateEpoch !== undefined && sourceDateEpoch !== current.manifest.buildEpoch) return undefined;
  await verifyRelease(current.dir);
  log(`nothing new: release ${current.id} was made from the same inputs`);
  return current.id;
}

/** Loads the tables, gives places their ids and merges. */
async function mergeFeeds(
  ingests: readonly IngestResult[],
  gazetteer: GazetteerResult,
  context: StageContext,
): Promise<{ merged: MergedTable; names: Gazetteer }> {
  const names = gazetteer.gazetteer
    ? fromJson(await readFile(gazetteer.gazetteer.path, 'utf8'))
    : new Gazetteer({ continents: [], regions: [], places: [] });
  const tables: FeedTable[] = [];
  for (const { input, table } of ingests) {
    if (!table) continue;
    context.progress({ text: `loading ${input.feed}` });
    const networks = readClaims(table.path);
    const { claims, unresolved } = resolveClaims(networks.claims, names);
    context.log(
      `${input.feed}: ${claims.length} distinct claims, ${unresolved} name a place the gazetteer lacks`,
    );
    tables.push({ feed: feedById(input.feed).id, table: networks.table, claims });
  }
  if (tables.length === 0) throw new Error('no feed could be used: there is nothing to compile');
  context.progress({ text: 'merging' });
  return { merged: mergeTables(tables), names };
}

function writeGeo(
  path: string,
  { table, locations }: MergedTable,
  { names, buildEpoch }: { readonly names: Gazetteer; readonly buildEpoch: number },
): WrittenMmdb {
  const records = new CityRecords(names);
  return writeMmdb(path, {
    table,
    records: locations.map((location) => records.recordOf(location)),
    schema: CITY_SCHEMA,
    databaseType: DATABASE_TYPE,
    description: { en: 'ipatlas geolocation database', 'zh-CN': 'ipatlas 地理位置数据库' },
    languages: CITY_LANGUAGES,
    ipVersion: 6,
    buildEpoch,
  });
}

const DATABASE_TYPE = 'ipatlas-City';

function describeFile(written: WrittenMmdb, merged: MergedTable, buildEpoch: number): ManifestFile {
  const { sizeBytes, sha256, nodeCount, recordSize, records } = written;
  return {
    name: 'geo.mmdb',
    databaseType: DATABASE_TYPE,
    sizeBytes,
    sha256,
    nodeCount,
    recordSize,
    ipVersion: 6,
    languages: [...CITY_LANGUAGES],
    buildEpoch,
    records,
    ...measureCoverage(merged),
  };
}
