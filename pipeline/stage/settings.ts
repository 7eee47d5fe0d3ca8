import { z } from 'zod';
import { ACCEPTABLE_GATES } from '../release/gate-names.js';

const liveSettingsSchema = z.strictObject({
  /** Start of the build. A file requested since then is not requested again. */
  since: z.iso.datetime(),
  /** Origin of a server that replaces all publishers. */
  mirror: z.string().min(1).exactOptional(),
  /** Route collectors. The newest dump of each one is downloaded. */
  collectors: z.array(z.string().min(1)),
  /** Accept files below the expected minimum size. */
  acceptSmall: z.boolean().exactOptional(),
});

/** How files are downloaded. Contains no secrets, because settings are stored in Redis. */
export type LiveSettings = Readonly<z.infer<typeof liveSettingsSchema>>;

/** Settings of one build. Plain JSON: every worker receives them, so paths must be valid on every machine. */
export const buildSettingsSchema = z.strictObject({
  /** Folder with the publishers' files, as `<feed id>/<file name>`. */
  feedsDir: z.string().min(1),
  /** Releases, caches, lock and private Redis. */
  outputDir: z.string().min(1),
  /** Ids of the geolocation feeds to build from. */
  feeds: z.array(z.string().min(1)).min(1),
  /** Ids of the routing sources to build from. */
  sources: z.array(z.string().min(1)),
  /** Ids of the lists of proxies, threats and clouds to build from. */
  lists: z.array(z.string().min(1)),
  /** Ids of the feeds, sources and lists that may be used in the files for download. */
  datasetFeeds: z.array(z.string().min(1)),
  /** Start of the build, seconds since 1970. */
  began: z.int().nonnegative(),
  /** Seconds since 1970, written instead of the start of the build. */
  sourceDateEpoch: z.int().nonnegative().exactOptional(),
  /** The bundled sample feeds. IANA's registries are read from here if `feedsDir` has none. */
  bundledFeedsDir: z.string().min(1).exactOptional(),
  /** Origin of the files, written to the manifest. */
  source: z.enum(['fixtures', 'folder', 'live']).exactOptional(),
  /** Download the files that are due before `feedsDir` is read. */
  live: liveSettingsSchema.exactOptional(),
  /** Compile and publish even if the current release has the same inputs. */
  force: z.boolean().exactOptional(),
  /** Gates that may fail in this build, because a person accepts the failure. */
  acceptedGates: z.array(z.enum(ACCEPTABLE_GATES)).exactOptional(),
  /** Whether consumer relays and enterprise gateways (CPN, EPN) count as proxies. Default: true. */
  relaysAreProxies: z.boolean().exactOptional(),
  /** Number of releases to keep. Default: KEPT_RELEASES. */
  keepReleases: z.int().positive().exactOptional(),
  /** Number of parallel jobs in one process. */
  concurrency: z.int().positive(),
});

export type BuildSettings = Readonly<z.infer<typeof buildSettingsSchema>>;

/** Returns the time that is written into files, in seconds since 1970. */
export function buildEpochOf({ sourceDateEpoch, began }: BuildSettings): number {
  return sourceDateEpoch ?? began;
}
