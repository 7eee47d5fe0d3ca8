import { readFile } from 'node:fs/promises';
import { fromJson } from '../gazetteer/gazetteer-json.js';
import { Gazetteer } from '../gazetteer/gazetteer.js';
import { CITY_LANGUAGES, CITY_SCHEMA, CityRecords, SCHEMA_VERSION } from '../merge/city-record.js';
import { leastRegionWeightOf } from '../merge/merge-part.js';
import { mergeTables, type Edition, type MergedTable } from '../merge/merge-tables.js';
import { placesOf } from '../merge/places.js';
import { POLICY_VERSION } from '../merge/precedence.js';
import { VERDICT_LANGUAGES, VERDICT_SCHEMA, VERDICT_VERSION, verdictOf } from '../merge/verdict-record.js';
import { WRITER_VERSION, type RecordList } from '../mmdb/write.js';
import type { ManifestInput } from '../release/contract.js';
import type { LicensedSource } from '../release/dataset-terms.js';
import { countFreeSpace, withoutFreeSpace } from './free-space.js';
import { keyOfDataset, licenceLine, type CompiledDataset, type DatasetPlan } from './dataset-plan.js';
import { gazetteerResultSchema, type GazetteerResult } from '../ingest/gazetteer.js';
import { TERMS_OF_EDITION } from '../ingest/gazetteer-editions.js';
import { statedCases } from './known-cases.js';
import { SCORECARD_VERSION, scorecardOf } from '../evaluate/scorecard.js';
import { loadGeoFeed, type Gazetteers, type GeoFeed } from './geo-feeds.js';
import { ingestResultSchema, type IngestResult } from '../ingest/ingest-source.js';
import type { BuildSettings } from '../stage/settings.js';
import type { StageContext } from '../stage/stage.js';
import { locateEditions, locateIngests } from './located.js';
import { writeDataset, type CompiledFile, type DatasetDescription, type Draft } from './write-dataset.js';

/** Inputs of the geolocation datasets. */
interface Ingredients {
  readonly ingests: readonly IngestResult[];
  readonly gazetteer: GazetteerResult;
}

/**
 * Plans `geo.mmdb` from all feeds, for the API; `download/geo.mmdb` from the feeds and names whose licences permit
 * redistribution; and `sources/<feed>.mmdb` with the verdicts of each feed.
 */
export function planGeo(context: StageContext): DatasetPlan {
  const { settings, children } = context;
  const ingests = settings.feeds.map((feed) => ingestResultSchema.parse(children[`ingest:${feed}`]));
  const ingredients = { ingests, gazetteer: gazetteerResultSchema.parse(children['gazetteer']) };
  return {
    key: keyOf(ingredients, settings),
    inputs: [...ingests.map(({ input }) => input), ...ingredients.gazetteer.inputs],
    compile: (draft) => compileGeo(ingredients, draft, context),
  };
}

function keyOf({ ingests, gazetteer }: Ingredients, settings: BuildSettings): string {
  const places = Object.entries(gazetteer.editions ?? {}).map(
    ([edition, kept]) => `gazetteer ${edition} ${kept.key}`,
  );
  const versions = [
    `writer ${WRITER_VERSION}`,
    `policy ${POLICY_VERSION}`,
    `schema ${SCHEMA_VERSION}`,
    `verdicts ${VERDICT_VERSION}`,
    `scorecard ${SCORECARD_VERSION}`,
  ];
  return keyOfDataset([...versions, ...places, ...gazetteer.inputs.map(licenceLine)], ingests, settings);
}

/** Merges the served file and the file for download in one walk over all tables. */
async function compileGeo(
  { ingests, gazetteer }: Ingredients,
  draft: Draft,
  context: StageContext,
): Promise<CompiledDataset> {
  const gazetteers = await loadGazetteers(gazetteer, context);
  const located = await locateIngests(ingests, context);
  const feeds = located.flatMap((ingest) => {
    context.progress({ text: `loading ${ingest.input.feed}` });
    const feed = loadGeoFeed(ingest, gazetteers, context.settings.datasetFeeds);
    if (feed) context.log(describePlaces(feed));
    return feed ?? [];
  });
  if (feeds.length === 0) throw new Error('no usable feed: nothing to compile');
  context.progress({ text: 'merging' });
  const plans = planFiles(feeds, gazetteers, gazetteer.inputs);
  if (plans.length === 1) context.log('no download/geo.mmdb: no usable feed with a licence that permits it');
  const merged = mergeTables(
    feeds,
    plans.map(({ edition }) => edition),
  );
  const files: CompiledFile[] = [];
  for (const [i, plan] of plans.entries()) {
    context.progress({ text: `writing ${plan.about.name}` });
    files.push(await writeGeo(plan, merged[i]!, draft));
  }
  for (const feed of feeds) {
    context.progress({ text: `writing the verdicts of ${feed.feed}` });
    files.push(await writeVerdicts(feed, gazetteers.full, draft));
  }
  context.progress({ text: `${files.length} files` });
  context.progress({ text: 'comparing with the statements of operators' });
  const leastRegionWeight = leastRegionWeightOf(new Set(feeds.map(({ feed }) => feed)));
  const scorecard = scorecardOf(statedCases(feeds, gazetteers.full), gazetteers.full, leastRegionWeight);
  const described = new Map(feeds.map(({ input }) => [input.feed, input]));
  const inputs = ingests.map(({ input }) => described.get(input.feed) ?? input);
  const counters = { ...countFreeSpace(feeds, merged[0]!), ...merged[0]!.agreement };
  return { files, indexes: [], counters, scorecard, inputs: [...inputs, ...gazetteer.inputs] };
}

/** Describes for how many networks of a feed a place was found. */
function describePlaces({ feed, claims, input }: GeoFeed): string {
  const { total, levels } = input.places!;
  const shares = (['city', 'region', 'country', 'none'] as const).map((level) => {
    return `${level} ${((100 * levels[level]) / Math.max(total, 1)).toFixed(1)} %`;
  });
  return `${feed}: ${claims.length} distinct claims; networks by the finest place known: ${shares.join(', ')}`;
}

async function loadGazetteers(gazetteer: GazetteerResult, context: StageContext): Promise<Gazetteers> {
  const load = async (path: string | undefined): Promise<Gazetteer> =>
    path === undefined
      ? new Gazetteer({ continents: [], regions: [], places: [] })
      : fromJson(await readFile(path, 'utf8'));
  const paths = await locateEditions(gazetteer, context);
  return { full: await load(paths?.full), open: await load(paths?.open) };
}

/** One merged file: its description, its feeds, and the gazetteer for its names. */
interface GeoPlan {
  readonly about: DatasetDescription;
  readonly edition: Edition;
  readonly gazetteer: Gazetteer;
}

/** Plans the served file, and the file for download unless no feed may be in it. */
function planFiles(
  feeds: readonly GeoFeed[],
  { full, open }: Gazetteers,
  places: readonly ManifestInput[],
): GeoPlan[] {
  const served: GeoPlan = {
    about: describeGeo('geo.mmdb', 'served', [...feeds.flatMap(sourcesOf), ...places.map(sourceOf)]),
    edition: { places: placesOf(full), claims: new Map(feeds.map(({ feed, claims }) => [feed, claims])) },
    gazetteer: full,
  };
  const openFeeds = feeds.flatMap((feed) => (feed.openClaims ? [{ ...feed, claims: feed.openClaims }] : []));
  if (openFeeds.length === 0) return [served];
  const openPlaces = places.filter(({ licence }) => TERMS_OF_EDITION.open.has(licence.terms));
  const download: GeoPlan = {
    about: describeGeo('download/geo.mmdb', 'download', [
      ...openFeeds.map(({ input }) => sourceOf(input)),
      ...openPlaces.map(sourceOf),
    ]),
    edition: { places: placesOf(open), claims: new Map(openFeeds.map(({ feed, claims }) => [feed, claims])) },
    gazetteer: open,
  };
  return [served, download];
}

function describeGeo(
  name: string,
  kind: DatasetDescription['kind'],
  sources: readonly LicensedSource[],
): DatasetDescription {
  return {
    name,
    kind,
    databaseType: 'ipatlas-City',
    description: { en: 'ipatlas geolocation database', 'zh-CN': 'ipatlas 地理位置数据库' },
    languages: CITY_LANGUAGES,
    schema: CITY_SCHEMA,
    sources,
  };
}

function sourceOf({ feed, licence }: ManifestInput): LicensedSource {
  return { id: feed, licence };
}

/** Returns the sources of a feed's claims: the feed, and the sources from which it has borrowed claims. */
function sourcesOf({ input, borrowed, claims }: GeoFeed): LicensedSource[] {
  const used = borrowed.filter(({ without }) => claims.some((claim) => without(claim) !== claim));
  return [sourceOf(input), ...used.map(({ source, licence }) => ({ id: source, licence }))];
}

/** Writes a merged file. Only the served file names the feeds that agree; it is for our own audit. */
function writeGeo({ about, gazetteer }: GeoPlan, merged: MergedTable, draft: Draft): Promise<CompiledFile> {
  const records = new CityRecords(gazetteer, { agreement: about.kind === 'served' });
  return writeDataset(draft, about, {
    table: merged.table,
    records: made(merged.locations, (location) => records.recordOf(location)),
    origins: merged.locations,
  });
}

function writeVerdicts(geoFeed: GeoFeed, gazetteer: Gazetteer, draft: Draft): Promise<CompiledFile> {
  const { feed, table, claims } = geoFeed;
  const about: DatasetDescription = {
    name: `sources/${feed}.mmdb`,
    kind: 'verdicts',
    databaseType: `ipatlas-Verdicts-${feed}`,
    description: { en: `What the feed ${feed} says`, 'zh-CN': `数据源 ${feed} 的结论` },
    languages: VERDICT_LANGUAGES,
    schema: VERDICT_SCHEMA,
    sources: sourcesOf(geoFeed),
  };
  const origins = claims.map(({ country }) => ({ country, decidedBy: feed }));
  return writeDataset(draft, about, {
    table: withoutFreeSpace(table, claims),
    records: made(claims, (claim) => verdictOf(claim, gazetteer)),
    origins,
  });
}

/** Makes records one by one while they are written: a million records at once would need too much memory. */
function made<T>(sources: readonly T[], make: (source: T) => unknown): RecordList {
  return { length: sources.length, at: (id) => make(sources[id]!) };
}
