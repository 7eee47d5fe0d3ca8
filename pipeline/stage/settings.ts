import { z } from 'zod';
import { digestSchema } from '../store/remote-tier.js';
import type { StoreAddress } from '../store/store-address.js';
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

/** The folders of one machine and its way to the store. Each worker has its own; they never leave the machine. */
export interface Place {
  /** Releases, caches, lock and private Redis. */
  readonly outputDir: string;
  /** Folder with the publishers' files, as `<feed id>/<file name>`. Only on the machine that started the build. */
  readonly feedsDir?: string;
  /** The bundled sample feeds. IANA's registries are read from here if `feedsDir` has none. */
  readonly bundledFeedsDir?: string;
  /** The store that machines share; absent without STORE. */
  readonly store?: StoreAddress;
}

/** The last release of the machine that started the build, in the store. */
const lastReleaseSchema = z.strictObject({
  id: z.string(),
  /** Digest of its manifest. */
  manifest: digestSchema,
  /** The error in the manifest of the current release, if this one is an older release. */
  damaged: z.string().exactOptional(),
});

/** Settings of one build that all its jobs receive, on any machine: no paths, no secrets. */
export const jobSettingsSchema = z.strictObject({
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
  /** Releases that were built in this many days before the newest one are kept, too. */
  keepDays: z.int().positive().exactOptional(),
  /** Time for which a store keeps what no kept release needs. Default: GRACE_MS. */
  storeGraceMs: z.int().nonnegative().exactOptional(),
  /** Number of parallel jobs in one process. */
  concurrency: z.int().positive(),
  /** The last release for jobs on any machine. Only with a store; absent before the first release. */
  last: lastReleaseSchema.exactOptional(),
});

export type JobSettings = Readonly<z.infer<typeof jobSettingsSchema>>;
export type LastReleaseInStore = Readonly<z.infer<typeof lastReleaseSchema>>;

/** The settings of a build on one machine. */
export type BuildSettings = JobSettings & Place;

/** Returns the settings that jobs on other machines receive too. */
export function jobSettingsOf(settings: BuildSettings): JobSettings {
  return jobSettingsSchema.strip().parse(settings);
}

/** Returns the folders and the store of a build's machine. */
export function placeOf({ outputDir, feedsDir, bundledFeedsDir, store }: BuildSettings): Place {
  return {
    outputDir,
    ...(feedsDir !== undefined && { feedsDir }),
    ...(bundledFeedsDir !== undefined && { bundledFeedsDir }),
    ...(store && { store }),
  };
}

/** Returns the time that is written into files, in seconds since 1970. */
export function buildEpochOf({ sourceDateEpoch, began }: BuildSettings): number {
  return sourceDateEpoch ?? began;
}
