import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { BuildSettings, LiveSettings } from '../stage/settings.js';
import { DEFAULT_COLLECTORS, isCollector } from '../input/routing-downloads.js';
import type { JobProcessor } from '../jobs/worker.js';
import { parseBuildFeeds, parseDatasetFeeds } from './chosen-feeds.js';
import { UsageError } from './usage-error.js';
import type { AcceptableGate } from '../release/gate-names.js';
import { Mirror, MirrorError } from '../fetch/mirror.js';
import type { ReadVariable } from '../fetch/secrets.js';
import {
  ADDRESS_VARIABLES,
  parseStoreAddress,
  StoreAddressError,
  type StoreAddress,
} from '../store/store-address.js';
import { downloadsDir } from '../snapshot/download-source.js';
import type { TextOutput } from '../text/printable.js';

/** The environment of the process as text; read once, in `main.ts`. */
export interface Environment {
  /** FEEDS: empty for the bundled samples, `live`, or a folder. */
  readonly feeds: string;
  /** The folder of the project, with its package.json. */
  readonly projectDir: string;
  /** `fixtures/feeds` of the project. */
  readonly bundledFeedsDir: string;
  /** BUILD_FEEDS: comma-separated ids of feeds, routing sources and lists; empty for all. */
  readonly buildFeeds: string;
  /** DATASET_FEEDS: comma-separated ids; empty for the default. */
  readonly datasetFeeds: string;
  readonly outputDir: string;
  readonly redisUrl: string | undefined;
  /** SOURCE_DATE_EPOCH; empty when not set. */
  readonly sourceDateEpoch: string;
  /** BUILD_JOBS: number of jobs that run at the same time; empty for one per processor. */
  readonly buildJobs: string;
  readonly processors: number;
  /** IPATLAS_MIRROR: origin of a mirror of all publishers. */
  readonly mirror: string | undefined;
  /** RIB_COLLECTORS: comma-separated names of route collectors; empty for the default. */
  readonly ribCollectors: string;
  /** RELAYS_ARE_PROXIES: `yes` or `no`; empty for yes. */
  readonly relaysAreProxies: string;
  /** KEEP_RELEASES: number of releases to keep; empty for the default. */
  readonly keepReleases: string;
  /** CACHE_GB: size of a worker's cache; empty for the default. */
  readonly cacheGb: string;
  /** Reads a publisher's token or password, or a variable of the store, by its name. */
  readonly readVariable: ReadVariable;
  /** Runs the jobs of a build. */
  readonly processor: JobProcessor;
  /** Where `-` reads a key from. */
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Where results are printed, without characters that a terminal interprets. */
  readonly stdout: TextOutput;
  /** The standard output itself, for data that programs read. */
  readonly results: NodeJS.WritableStream & { readonly isTTY?: boolean };
  /** Where errors are printed, without characters that a terminal interprets. */
  readonly stderr: TextOutput;
  /** The standard error itself, for progress. Its writer escapes text from others. */
  readonly progress: NodeJS.WritableStream;
  /** Whether standard error is a terminal whose lines can be redrawn. */
  readonly isTerminal: boolean;
}

/** Options of `ipatlas build`. */
export interface BuildFlags {
  readonly force?: boolean;
  readonly accept?: readonly AcceptableGate[];
  readonly acceptSmall?: boolean;
}

/** Returns the settings of a build. Throws UsageError for invalid values. */
export function buildSettings(environment: Environment, flags: BuildFlags): BuildSettings {
  const { feeds, bundledFeedsDir, outputDir } = environment;
  const sourceDateEpoch = parseEpoch(environment.sourceDateEpoch);
  const store = storeOf(environment);
  return {
    ...inputOf(environment),
    ...(feeds === 'live' ? { live: liveSettings(environment, flags) } : {}),
    bundledFeedsDir,
    outputDir,
    ...(store && { store }),
    ...parseBuildFeeds(environment.buildFeeds),
    datasetFeeds: parseDatasetFeeds(environment.datasetFeeds),
    began: Math.floor(Date.now() / 1000),
    concurrency: concurrencyOf(environment),
    ...(sourceDateEpoch === undefined ? {} : { sourceDateEpoch }),
    ...parseRelays(environment.relaysAreProxies),
    ...parseKeep(environment.keepReleases),
    ...parseKeepDays(environment.readVariable('KEEP_DAYS') ?? ''),
    ...parseGrace(environment.readVariable('STORE_GRACE_HOURS') ?? ''),
    ...(flags.force === true ? { force: true } : {}),
    ...(flags.accept ? { acceptedGates: [...flags.accept] } : {}),
  };
}

/** Returns the store that machines share; undefined without STORE. Throws UsageError for an invalid one. */
export function storeOf({ readVariable }: Environment): StoreAddress | undefined {
  try {
    return parseStoreAddress(Object.fromEntries(ADDRESS_VARIABLES.map((name) => [name, readVariable(name)])));
  } catch (error) {
    if (error instanceof StoreAddressError) throw new UsageError(error.message);
    throw error;
  }
}

/** Returns the limit of a worker's cache in bytes. Throws UsageError for an invalid number. */
export function cacheBytesOf({ cacheGb }: Environment): number {
  if (!/^([1-9]\d{0,4})?$/.test(cacheGb))
    throw new UsageError(`invalid CACHE_GB "${cacheGb}": expected 1-99999`);
  return (cacheGb === '' ? DEFAULT_CACHE_GB : Number(cacheGb)) * 1e9;
}

/** Default of CACHE_GB. */
export const DEFAULT_CACHE_GB = 20;

/** Returns how many jobs run at the same time. Throws UsageError for an invalid number. */
export function concurrencyOf({ buildJobs, processors }: Environment): number {
  if (buildJobs === '') return processors;
  if (!/^[1-9]\d{0,2}$/.test(buildJobs))
    throw new UsageError(`invalid BUILD_JOBS "${buildJobs}": expected 1-999`);
  return Number(buildJobs);
}

/** The folder of the input files, and its name in the manifest. */
function inputOf({ feeds, bundledFeedsDir, outputDir }: Environment): Pick<BuildSettings, 'feedsDir'> & {
  readonly source: 'fixtures' | 'live' | 'folder';
} {
  if (feeds === '') return { feedsDir: bundledFeedsDir, source: 'fixtures' };
  if (feeds === 'live') return { feedsDir: downloadsDir(outputDir), source: 'live' };
  return { feedsDir: requireFolder(feeds), source: 'folder' };
}

/** Returns the settings of downloads that begin now. Throws UsageError for invalid variables. */
export function liveSettings(
  { mirror, ribCollectors }: Environment,
  { acceptSmall }: Pick<BuildFlags, 'acceptSmall'>,
): LiveSettings {
  try {
    if (mirror !== undefined) new Mirror(mirror);
  } catch (error) {
    if (error instanceof MirrorError) throw new UsageError(`invalid IPATLAS_MIRROR: ${error.message}`);
    throw error;
  }
  return {
    since: new Date().toISOString(),
    collectors: parseCollectors(ribCollectors),
    ...(mirror === undefined ? {} : { mirror }),
    ...(acceptSmall === true ? { acceptSmall } : {}),
  };
}

/** The collectors in their order, without duplicates. */
function parseCollectors(text: string): string[] {
  if (text.trim() === '') return [...DEFAULT_COLLECTORS];
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !isCollector(name));
  if (unknown.length > 0) {
    const texts = unknown.map((name) => `"${name}"`).join(', ');
    throw new UsageError(
      `invalid RIB_COLLECTORS: ${texts}: expected names of RIPE RIS (rrc00) or RouteViews (route-views.sg)`,
    );
  }
  return [...new Set(names)];
}

/** A missing folder is an error: a build without files would silently use the last good copies. */
function requireFolder(feeds: string): string {
  const dir = resolve(feeds);
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(`invalid FEEDS "${feeds}": folder not found: ${dir}`);
  return dir;
}

/** The setting if it differs from the default. */
function parseRelays(text: string): Pick<BuildSettings, 'relaysAreProxies'> {
  if (text === '' || text === 'yes') return {};
  if (text === 'no') return { relaysAreProxies: false };
  throw new UsageError(`invalid RELAYS_ARE_PROXIES "${text}": expected yes or no`);
}

/** The current release is always kept, so the least number is 1. */
function parseKeep(text: string): Pick<BuildSettings, 'keepReleases'> {
  if (text === '') return {};
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new UsageError(`invalid KEEP_RELEASES "${text}": expected 1-999`);
  return { keepReleases: Number(text) };
}

function parseKeepDays(text: string): Pick<BuildSettings, 'keepDays'> {
  if (text === '') return {};
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new UsageError(`invalid KEEP_DAYS "${text}": expected 1-9999`);
  return { keepDays: Number(text) };
}

function parseGrace(text: string): Pick<BuildSettings, 'storeGraceMs'> {
  if (text === '') return {};
  if (!/^\d{1,4}$/.test(text)) throw new UsageError(`invalid STORE_GRACE_HOURS "${text}": expected 0-9999`);
  return { storeGraceMs: Number(text) * 3_600_000 };
}

/** Parses seconds since 1970 (https://reproducible-builds.org/specs/source-date-epoch/). */
function parseEpoch(text: string): number | undefined {
  if (text === '') return undefined;
  const seconds = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(seconds))
    throw new UsageError(`invalid SOURCE_DATE_EPOCH "${text}": expected whole seconds since 1970`);
  return seconds;
}
