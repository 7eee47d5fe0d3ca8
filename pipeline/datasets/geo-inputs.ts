import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { FEED_IDS, type FeedId } from '../feeds/feed-id.js';
import { fromJson } from '../gazetteer/gazetteer-json.js';
import { Gazetteer } from '../gazetteer/gazetteer.js';
import { gazetteerResultSchema, type GazetteerResult } from '../ingest/gazetteer.js';
import type { EditionName } from '../ingest/cache-paths.js';
import { ingestResultSchema, type IngestResult } from '../ingest/ingest-source.js';
import { inputSchema } from '../release/contract.js';
import { TERMS } from '../input/published-source.js';
import type { StageContext } from '../stage/stage.js';
import { locateEditions } from './located.js';
import { compiledFileSchema } from './write-dataset.js';

/** Inputs of the geolocation datasets. */
export interface GeoInputs {
  /** In the order of the settings. */
  readonly ingests: readonly IngestResult[];
  readonly gazetteer: GazetteerResult;
}

/** Returns the inputs of the geolocation datasets from the results of their jobs. */
export function geoInputsOf({ settings, children }: Pick<StageContext, 'settings' | 'children'>): GeoInputs {
  return {
    ingests: settings.feeds.map((feed) => ingestResultSchema.parse(children[`ingest:${feed}`])),
    gazetteer: gazetteerResultSchema.parse(children['gazetteer']),
  };
}

/** The editions of geo.mmdb: `served` from all feeds and names, `download` from those that may be redistributed. */
export const GEO_EDITIONS = ['served', 'download'] as const;
export type GeoEdition = (typeof GEO_EDITIONS)[number];

/** The edition of the gazetteer with the names of an edition. */
export const GAZETTEER_OF: Readonly<Record<GeoEdition, EditionName>> = { served: 'full', download: 'open' };

/** Loads an edition of the gazetteer; an empty one if there is none. */
export async function loadGazetteer(
  gazetteer: GazetteerResult,
  edition: GeoEdition,
  context: Pick<StageContext, 'settings' | 'remote'>,
): Promise<Gazetteer> {
  const paths = await locateEditions(gazetteer, context);
  return paths
    ? fromJson(await readFile(paths[GAZETTEER_OF[edition]], 'utf8'))
    : new Gazetteer({ continents: [], regions: [], places: [] });
}

/** A source of a file with the terms of its licence. */
export const sourceSchema = z.strictObject({
  id: z.string(),
  licence: z.strictObject({ terms: z.enum(TERMS), attribution: z.string().exactOptional() }),
});

/** The result of a job that resolves the claims of one feed and writes its verdicts. */
export const verdictsResultSchema = z.strictObject({
  /** The feed's part of the manifest. */
  input: inputSchema,
  /** Absent if no file of the feed was usable. */
  made: z
    .strictObject({
      /** The kept folder with the table and the resolved claims of the feed, and the key of its content. */
      claims: z.strictObject({ folder: z.string(), key: z.string() }),
      /** The feed, and the sources from which it has borrowed claims. */
      sources: z.array(sourceSchema),
      /** Whether the feed may be in files for download. */
      isOpen: z.boolean(),
      /** The kept folder with the file of verdicts. */
      folder: z.string(),
      file: compiledFileSchema,
    })
    .exactOptional(),
});
export type VerdictsResult = z.infer<typeof verdictsResultSchema>;

/** The resolved claims of a feed. */
export interface ClaimedFeed {
  readonly feed: FeedId;
  readonly input: VerdictsResult['input'];
  readonly made: NonNullable<VerdictsResult['made']>;
}

/** Returns the feeds with claims, in the order of the settings. */
export function claimedFeedsOf({
  settings,
  children,
}: Pick<StageContext, 'settings' | 'children'>): ClaimedFeed[] {
  return settings.feeds.flatMap((id) => {
    const { input, made } = verdictsResultSchema.parse(children[`verdicts:${id}`]);
    const feed = FEED_IDS.find((known) => known === id);
    return made && feed !== undefined ? [{ feed, input, made }] : [];
  });
}

/** Returns feeds in the order of FEED_IDS, in which they are merged. */
export function inMergeOrder(feeds: readonly ClaimedFeed[]): ClaimedFeed[] {
  return [...feeds].sort((a, b) => FEED_IDS.indexOf(a.feed) - FEED_IDS.indexOf(b.feed));
}
