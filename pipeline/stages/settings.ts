import { z } from 'zod';
import { ACCEPTABLE_GATES } from '../release/gate-names.js';

const liveSettingsSchema = z.strictObject({
  /** When the build began: what was asked for since is not asked for again. */
  since: z.iso.datetime(),
  /** Origin of a server that stands for all publishers. */
  mirror: z.string().min(1).exactOptional(),
  /** Route collectors whose newest dumps are taken. */
  collectors: z.array(z.string().min(1)),
  /** Take files that are smaller than is believed of them. */
  acceptSmall: z.boolean().exactOptional(),
});

/** How files are downloaded. Never secrets: settings travel through Redis. */
export type LiveSettings = Readonly<z.infer<typeof liveSettingsSchema>>;

/** What one build works on. Plain JSON: it travels to every worker, so paths must mean the same on every machine. */
export const buildSettingsSchema = z.strictObject({
  /** Where publishers' files lie, as `<feed id>/<file name>`. */
  feedsDir: z.string().min(1),
  /** Releases, caches, lock and private Redis. */
  outputDir: z.string().min(1),
  /** Ids of the geolocation feeds to build from. */
  feeds: z.array(z.string().min(1)).min(1),
  /** Ids of the sources of routing and registry data to build from. */
  sources: z.array(z.string().min(1)),
  /** Ids of the lists of proxies, threats and clouds to build from. */
  lists: z.array(z.string().min(1)),
  /** Ids of the feeds, sources and lists whose data goes into files that others download. */
  datasetFeeds: z.array(z.string().min(1)),
  /** When the build began, seconds since 1970. */
  began: z.int().nonnegative(),
  /** Seconds since 1970 that stand for that in what is written. */
  sourceDateEpoch: z.int().nonnegative().exactOptional(),
  /** Feeds that come with the project; IANA's registries are taken from there when `feedsDir` has none. */
  bundledFeedsDir: z.string().min(1).exactOptional(),
  /** Where the files come from, as the manifest tells it. */
  source: z.enum(['fixtures', 'folder', 'live']).exactOptional(),
  /** Download what is due before `feedsDir` is read. */
  live: liveSettingsSchema.exactOptional(),
  /** Compile and publish even when the current release was made from the same inputs. */
  force: z.boolean().exactOptional(),
  /** Gates whose failure a person has looked at and accepts for this build. */
  acceptedGates: z.array(z.enum(ACCEPTABLE_GATES)).exactOptional(),
  /** Whether relays of consumers and gateways of enterprises (CPN, EPN) count as proxies; they do by default. */
  relaysAreProxies: z.boolean().exactOptional(),
  /** Releases that stay; 7 by default. */
  keepReleases: z.int().positive().exactOptional(),
  /** Jobs at the same time in one process. */
  concurrency: z.int().positive(),
});

export type BuildSettings = Readonly<z.infer<typeof buildSettingsSchema>>;

/** Seconds since 1970 that what is written tells as its time. */
export function buildEpochOf({ sourceDateEpoch, began }: BuildSettings): number {
  return sourceDateEpoch ?? began;
}
