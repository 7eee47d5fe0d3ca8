import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { BuildSettings, LiveSettings } from '../stages/settings.js';
import { DEFAULT_COLLECTORS, isCollector } from '../feeds/routing-downloads.js';
import { parseBuildFeeds, parseDatasetFeeds } from './chosen-feeds.js';
import { UsageError } from './usage-error.js';
import type { AcceptableGate } from '../release/gate-names.js';
import { Mirror, MirrorError } from '../fetch/mirror.js';
import type { ReadVariable } from '../fetch/secrets.js';
import { downloadsDir } from '../stages/download-source.js';

/** What the process was started with; read once, in `main.ts`. */
export interface Environment {
  /** FEEDS: empty for the fixtures, `live`, or a folder. */
  readonly feeds: string;
  /** `fixtures/feeds` of the project. */
  readonly bundledFeedsDir: string;
  /** BUILD_FEEDS: ids of feeds and routing sources with commas between, empty for all. */
  readonly buildFeeds: string;
  /** DATASET_FEEDS: such ids with commas between, empty for the default. */
  readonly datasetFeeds: string;
  readonly outputDir: string;
  readonly redisUrl: string | undefined;
  /** SOURCE_DATE_EPOCH as text, empty when not set. */
  readonly sourceDateEpoch: string;
  /** BUILD_JOBS: how many jobs run at the same time, as text; empty for one per processor. */
  readonly buildJobs: string;
  readonly processors: number;
  /** IPATLAS_MIRROR: origin of a server that stands for all publishers. */
  readonly mirror: string | undefined;
  /** RIB_COLLECTORS: names of route collectors with commas between, empty for the default. */
  readonly ribCollectors: string;
  /** RELAYS_ARE_PROXIES: `yes` or `no`, empty for yes. */
  readonly relaysAreProxies: string;
  /** Tokens and passwords of publishers, by the name of their variable. */
  readonly readVariable: ReadVariable;
  /** Compiled module that worker threads load. */
  readonly processorFile: URL;
}

/** Options of `ipatlas build`. */
export interface BuildFlags {
  readonly force?: boolean;
  readonly accept?: readonly AcceptableGate[];
  readonly acceptSmall?: boolean;
}

/** The settings of a build. Throws UsageError for values that make no sense. */
export function buildSettings(environment: Environment, flags: BuildFlags): BuildSettings {
  const { feeds, bundledFeedsDir, outputDir } = environment;
  const sourceDateEpoch = parseEpoch(environment.sourceDateEpoch);
  return {
    ...inputOf(environment),
    ...(feeds === 'live' ? { live: liveSettings(environment, flags) } : {}),
    bundledFeedsDir,
    outputDir,
    ...parseBuildFeeds(environment.buildFeeds),
    datasetFeeds: parseDatasetFeeds(environment.datasetFeeds),
    began: Math.floor(Date.now() / 1000),
    concurrency: concurrencyOf(environment),
    ...(sourceDateEpoch === undefined ? {} : { sourceDateEpoch }),
    ...parseRelays(environment.relaysAreProxies),
    ...(flags.force === true ? { force: true } : {}),
    ...(flags.accept ? { acceptedGates: [...flags.accept] } : {}),
  };
}

/** How many jobs run at the same time. Throws UsageError for what is no such number. */
export function concurrencyOf({ buildJobs, processors }: Environment): number {
  if (buildJobs === '') return processors;
  if (!/^[1-9]\d{0,2}$/.test(buildJobs))
    throw new UsageError(`BUILD_JOBS "${buildJobs}" is not a number from 1 to 999`);
  return Number(buildJobs);
}

/** Where the files lie, and what the manifest calls it. */
function inputOf({ feeds, bundledFeedsDir, outputDir }: Environment): Pick<BuildSettings, 'feedsDir'> & {
  readonly source: 'fixtures' | 'live' | 'folder';
} {
  if (feeds === '') return { feedsDir: bundledFeedsDir, source: 'fixtures' };
  if (feeds === 'live') return { feedsDir: downloadsDir(outputDir), source: 'live' };
  return { feedsDir: requireFolder(feeds), source: 'folder' };
}

/** How tonight's files are downloaded, beginning now. Throws UsageError for variables that make no sense. */
export function liveSettings(
  { mirror, ribCollectors }: Environment,
  { acceptSmall }: Pick<BuildFlags, 'acceptSmall'>,
): LiveSettings {
  try {
    if (mirror !== undefined) new Mirror(mirror);
  } catch (error) {
    if (error instanceof MirrorError) throw new UsageError(`IPATLAS_MIRROR ${error.message}`);
    throw error;
  }
  return {
    since: new Date().toISOString(),
    collectors: parseCollectors(ribCollectors),
    ...(mirror === undefined ? {} : { mirror }),
    ...(acceptSmall === true ? { acceptSmall } : {}),
  };
}

/** Each collector once, in their order. */
function parseCollectors(text: string): string[] {
  if (text.trim() === '') return [...DEFAULT_COLLECTORS];
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !isCollector(name));
  if (unknown.length > 0) {
    const told = unknown.map((name) => `"${name}"`).join(', ');
    throw new UsageError(`RIB_COLLECTORS: ${told}: collectors are called rrc00 or route-views.sg, or so`);
  }
  return [...new Set(names)];
}

/** A folder that is not there is a slip of the pen: a night without files would take the last good copies. */
function requireFolder(feeds: string): string {
  const dir = resolve(feeds);
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(`FEEDS=${feeds}: there is no folder ${dir}`);
  return dir;
}

/** The switch, when it is not as ever. */
function parseRelays(text: string): Pick<BuildSettings, 'relaysAreProxies'> {
  if (text === '' || text === 'yes') return {};
  if (text === 'no') return { relaysAreProxies: false };
  throw new UsageError(`RELAYS_ARE_PROXIES "${text}" is neither yes nor no`);
}

/** Whole seconds since 1970 (https://reproducible-builds.org/specs/source-date-epoch/). */
function parseEpoch(text: string): number | undefined {
  if (text === '') return undefined;
  const seconds = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(seconds))
    throw new UsageError(`SOURCE_DATE_EPOCH "${text}" is not a number of seconds`);
  return seconds;
}
