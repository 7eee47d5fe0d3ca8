import { z } from 'zod';
import type { Claim } from '../input/claims/claim.js';
import type { Gazetteer } from '../gazetteer/gazetteer.js';
import type { IngestResult } from '../ingest/ingest-source.js';
import { POLICY_VERSION } from '../merge/precedence.js';
import { VERDICT_LANGUAGES, VERDICT_SCHEMA, VERDICT_VERSION, verdictOf } from '../merge/verdict-record.js';
import { WRITER_VERSION } from '../mmdb/write.js';
import { inputSchema, type ManifestInput } from '../release/contract.js';
import { DESCRIPTION_VERSION, type LicensedSource } from '../release/dataset-terms.js';
import { buildEpochOf } from '../stage/settings.js';
import type { Stage, StageContext } from '../stage/stage.js';
import { licenceLine } from './dataset-plan.js';
import { withoutFreeSpace } from './free-space.js';
import { CLAIMS_VERSION, writeGeoClaims } from './geo-claims.js';
import { loadGeoFeed, type Gazetteers, type GeoFeed } from './geo-feeds.js';
import {
  geoInputsOf,
  loadGazetteer,
  sourceSchema,
  type GeoInputs,
  type VerdictsResult,
} from './geo-inputs.js';
import { keptResult } from './kept-result.js';
import { locateIngests } from './located.js';
import { madeOf } from './made-records.js';
import { compiledFileSchema, writeDataset, type DatasetDescription, type Draft } from './write-dataset.js';

/** Resolves the claims of one feed, keeps them for the merge, and writes `sources/<feed>.mmdb` with its verdicts. */
export const writeVerdicts: Stage = async (input, context): Promise<VerdictsResult> => {
  const { feed: id } = z.strictObject({ feed: z.string() }).parse(input);
  const inputs = geoInputsOf(context);
  const ingest = inputs.ingests.find(({ input }) => input.feed === id)!;
  if (!ingest.kept) return { input: ingest.input };
  const loader = new FeedLoader(ingest, inputs, context);
  const claims = await keepClaims(loader);
  const verdicts = await keepVerdicts(loader, claims.key);
  const { places, sources } = claims.result;
  return {
    input: { ...ingest.input, places },
    made: {
      claims: { folder: claims.folder, key: claims.key },
      sources,
      isOpen: loader.isOpen,
      folder: verdicts.folder,
      file: verdicts.result,
    },
  };
};

const claimsSchema = z.strictObject({
  places: inputSchema.shape.places.unwrap(),
  sources: z.array(sourceSchema),
});

/** Resolves the claims of a feed, or finds them in the cache. */
function keepClaims(loader: FeedLoader) {
  const { ingest, context } = loader;
  const work = {
    name: `claims-${ingest.input.feed}`,
    made: claimLines(loader),
    result: claimsSchema,
    write: async (dir: string) => {
      const feed = await loader.feed();
      context.progress({ text: 'resolving claims' });
      writeGeoClaims(dir, feed, await loader.gazetteers());
      return { places: feed.input.places!, sources: sourcesOf(feed) };
    },
  };
  return keptResult(work, context);
}

/** Writes the verdicts of a feed, or finds them in the cache. */
function keepVerdicts(loader: FeedLoader, claimsKey: string) {
  const { ingest, context } = loader;
  const buildEpoch = buildEpochOf(context.settings);
  const versions = [
    `writer ${WRITER_VERSION}`,
    `verdicts ${VERDICT_VERSION}`,
    `description ${DESCRIPTION_VERSION}`,
    `epoch ${buildEpoch}`,
  ];
  const work = {
    name: `verdicts-${ingest.input.feed}`,
    made: [claimsKey, ...versions],
    result: compiledFileSchema,
    write: async (dir: string) => {
      const { full } = await loader.gazetteers();
      const feed = await loader.feed();
      context.progress({ text: 'writing the verdicts' });
      return writeVerdictFile(feed, full, { workDir: dir, buildEpoch });
    },
  };
  return keptResult(work, context);
}

/** Everything that the resolved claims of a feed are made from. */
function claimLines({ ingest, inputs, isOpen }: FeedLoader): string[] {
  const { input, kept } = ingest;
  const { full, open } = inputs.gazetteer.editions ?? {};
  return [
    `claims ${CLAIMS_VERSION}`,
    `policy ${POLICY_VERSION}`,
    `feed ${input.feed} ${kept!.key}`,
    `gazetteer ${full?.key ?? 'none'} ${isOpen ? (open?.key ?? 'none') : 'closed'}`,
    licenceLine(input),
  ];
}

/** Loads the feed and the gazetteers when they are needed: a job that finds its files in the cache loads nothing. */
class FeedLoader {
  #feed: Promise<GeoFeed> | undefined;
  #gazetteers: Promise<Gazetteers> | undefined;

  constructor(
    readonly ingest: IngestResult,
    readonly inputs: GeoInputs,
    readonly context: StageContext,
  ) {}

  /** Whether the feed may be in files for download. */
  get isOpen(): boolean {
    return this.context.settings.datasetFeeds.includes(this.ingest.input.feed);
  }

  feed(): Promise<GeoFeed> {
    return (this.#feed ??= this.#load());
  }

  gazetteers(): Promise<Gazetteers> {
    return (this.#gazetteers ??= this.#loadGazetteers());
  }

  async #load(): Promise<GeoFeed> {
    const { ingest, context } = this;
    const [located] = await locateIngests([ingest], context);
    const gazetteers = await this.gazetteers();
    context.progress({ text: 'loading' });
    const feed = loadGeoFeed(located!, gazetteers, context.settings.datasetFeeds)!;
    context.log(describePlaces(feed));
    return feed;
  }

  async #loadGazetteers(): Promise<Gazetteers> {
    const { gazetteer } = this.inputs;
    const full = await loadGazetteer(gazetteer, 'served', this.context);
    // Names for download are of no use to a feed that may not be there.
    return { full, open: this.isOpen ? await loadGazetteer(gazetteer, 'download', this.context) : full };
  }
}

/** Describes for how many networks of a feed a place was found. */
function describePlaces({ claims, input }: GeoFeed): string {
  const { total, levels } = input.places!;
  const shares = (['city', 'region', 'country', 'none'] as const).map((level) => {
    return `${level} ${((100 * levels[level]) / Math.max(total, 1)).toFixed(1)} %`;
  });
  return `${claims.length} distinct claims; networks by the finest place known: ${shares.join(', ')}`;
}

/** Returns the sources of a feed's claims: the feed, and the sources from which it has borrowed claims. */
function sourcesOf({ input, borrowed, claims }: GeoFeed): z.infer<typeof sourceSchema>[] {
  const used = borrowed.filter(({ without }) => claims.some((claim) => without(claim) !== claim));
  return [sourceOf(input), ...used.map(({ source, licence }) => licensed(source, licence))];
}

/** Returns an input of the manifest as a source of a file. */
export function sourceOf({ feed, licence }: ManifestInput): z.infer<typeof sourceSchema> {
  return licensed(feed, licence);
}

function licensed(
  id: string,
  { terms, attribution }: LicensedSource['licence'],
): z.infer<typeof sourceSchema> {
  return { id, licence: { terms, ...(attribution !== undefined && { attribution }) } };
}

function writeVerdictFile(geoFeed: GeoFeed, gazetteer: Gazetteer, draft: Draft) {
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
  return writeDataset(draft, about, {
    table: withoutFreeSpace(table, claims),
    records: madeOf<Claim>(claims, (claim) => verdictOf(claim, gazetteer)),
    origins: claims.map(({ country }) => ({ country, decidedBy: feed })),
  });
}
