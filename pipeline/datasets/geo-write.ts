import { z } from 'zod';
import { BuiltCityRecords } from '../merge/built-city-records.js';
import { CITY_LANGUAGES, CITY_SCHEMA, CityRecords, SCHEMA_VERSION } from '../merge/city-record.js';
import { joinParts, type JoinedTable } from '../merge/join-parts.js';
import type { LocationReader } from '../merge/location-table.js';
import { readPart } from '../merge/part-file.js';
import { WRITER_VERSION } from '../mmdb/write.js';
import { TERMS_OF_EDITION } from '../ingest/gazetteer-editions.js';
import { GEO_COUNTERS_VERSION } from '../release/geo-counters.js';
import type { ManifestInput } from '../release/contract.js';
import { DESCRIPTION_VERSION } from '../release/dataset-terms.js';
import { buildEpochOf } from '../stage/settings.js';
import type { Stage, StageContext } from '../stage/stage.js';
import type { Origin } from './coverage.js';
import { countFreeSpace } from './free-space.js';
import { readUsedTable } from './geo-claims.js';
import {
  claimedFeedsOf,
  GAZETTEER_OF,
  GEO_EDITIONS,
  geoInputsOf,
  inMergeOrder,
  loadGazetteer,
  type ClaimedFeed,
  type GeoEdition,
} from './geo-inputs.js';
import { mergeResultSchema, partIn } from './geo-merge.js';
import { sourceOf } from './geo-verdicts.js';
import { keptResult, requireKept } from './kept-result.js';
import { compiledFileSchema, writeDataset, type DatasetDescription, type Draft } from './write-dataset.js';

/** A merged file in a kept folder, and the counters of the whole dataset, which come with the served file. */
export const writtenGeoSchema = z.strictObject({
  made: z
    .strictObject({
      folder: z.string(),
      file: compiledFileSchema,
      counters: z.record(z.string(), z.number()),
    })
    .exactOptional(),
});

const NAMES: Readonly<Record<GeoEdition, string>> = { served: 'geo.mmdb', download: 'download/geo.mmdb' };

/** Joins the merged parts of one edition and writes its file. Without a feed in the edition there is none. */
export const writeGeo: Stage = async (input, context): Promise<z.infer<typeof writtenGeoSchema>> => {
  const { edition, parts } = z
    .strictObject({ edition: z.enum(GEO_EDITIONS), parts: z.coerce.number().int().positive() })
    .parse(input);
  const all = claimedFeedsOf(context);
  const feeds = all.filter(({ made }) => edition === 'served' || made.isOpen);
  if (feeds.length === 0) {
    context.log(`no ${NAMES[edition]}: no usable feed with a licence that permits it`);
    return {};
  }
  const merged = Array.from({ length: parts }, (_, i) => {
    return mergeResultSchema.parse(context.children[`merge:${i + 1}-of-${parts}`]);
  });
  const about = describe(edition, feeds, context);
  const buildEpoch = buildEpochOf(context.settings);
  const { gazetteer } = geoInputsOf(context);
  const kept = await keptResult(
    {
      name: `geo-${edition}`,
      made: [
        `writer ${WRITER_VERSION}`,
        `schema ${SCHEMA_VERSION}`,
        `counters ${GEO_COUNTERS_VERSION}`,
        `description ${DESCRIPTION_VERSION}`,
        `epoch ${buildEpoch}`,
        `gazetteer ${gazetteer.editions?.[GAZETTEER_OF[edition]].key ?? 'none'}`,
        ...all.map(({ feed, made }) => `${feed} ${made.claims.key}`),
        ...about.sources.map((source) => JSON.stringify(source)),
      ],
      result: writtenGeoSchema.shape.made.unwrap().omit({ folder: true }),
      write: async (dir) => {
        const folders = merged.map(({ folder }) => folder);
        const draft = { workDir: dir, buildEpoch };
        const { file, joined } = await writeEdition({ about, edition, folders, draft }, context);
        const counters = edition === 'served' ? await countersOf(inMergeOrder(feeds), joined, context) : {};
        return { file, counters };
      },
    },
    context,
  );
  return { made: { folder: kept.folder, ...kept.result } };
};

function describe(
  edition: GeoEdition,
  feeds: readonly ClaimedFeed[],
  context: StageContext,
): DatasetDescription {
  const places = geoInputsOf(context).gazetteer.inputs.filter((place) => isIn(edition, place));
  // The claims that a feed has borrowed are not in the file for download.
  const sources = feeds.flatMap(({ input, made }) =>
    edition === 'served' ? made.sources : [sourceOf(input)],
  );
  return {
    name: NAMES[edition],
    kind: edition,
    databaseType: 'ipatlas-City',
    description: { en: 'ipatlas geolocation database', 'zh-CN': 'ipatlas 地理位置数据库' },
    languages: CITY_LANGUAGES,
    schema: CITY_SCHEMA,
    sources: [...sources, ...places.map(sourceOf)],
  };
}

function isIn(edition: GeoEdition, { licence }: ManifestInput): boolean {
  return edition === 'served' || TERMS_OF_EDITION.open.has(licence.terms);
}

/** One file to write. */
interface Writing {
  readonly about: DatasetDescription;
  readonly edition: GeoEdition;
  /** The kept folders of the parts, in address order. */
  readonly folders: readonly string[];
  readonly draft: Draft;
}

async function writeEdition({ about, edition, folders, draft }: Writing, context: StageContext) {
  const { gazetteer: places } = geoInputsOf(context);
  const dirs: string[] = [];
  for (const folder of folders) dirs.push(await requireKept(folder, context));
  context.progress({ text: 'joining the parts' });
  const joined = joinParts(readParts(dirs, edition));
  const { table, locations } = joined;
  const gazetteer = await loadGazetteer(places, edition, context);
  // Only the served file names the feeds that agree; it is for our own audit.
  const records = new CityRecords(gazetteer, { agreement: edition === 'served' });
  context.progress({ text: `writing ${about.name}` });
  const file = await writeDataset(draft, about, {
    table,
    records: new BuiltCityRecords(records, locations),
    origins: { length: locations.length, at: (id) => originOf(locations, id) },
  });
  return { file, joined };
}

function originOf(locations: LocationReader, id: number): Origin {
  const { country, level } = locations.levelOf(id);
  return { ...locations.originOf(id), level: country === undefined ? 'none' : level };
}

/** Reads the parts one after the other: each is released when it has been joined. */
function* readParts(dirs: readonly string[], edition: GeoEdition) {
  for (const dir of dirs) yield readPart(partIn(dir, edition));
}

async function countersOf(
  feeds: readonly ClaimedFeed[],
  { table, locations, agreement }: JoinedTable,
  context: StageContext,
): Promise<Record<string, number>> {
  context.progress({ text: 'counting space that is not delegated' });
  const tables = [];
  for (const { feed, made } of feeds) {
    const dir = await requireKept(made.claims.folder, context);
    tables.push(readUsedTable({ feed, dir, isOpen: made.isOpen }));
  }
  const hasCountry = (id: number): boolean => locations.originOf(id).country !== undefined;
  return { ...countFreeSpace(tables, { table, hasCountry }), ...agreement };
}
