import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { redisDirOf } from '../jobs/private-redis.js';
import { probe } from '../jobs/redis-connection.js';
import { findSocketPath } from '../jobs/socket-path.js';
import type { Random } from '../fuzz/random.js';
import { sha256File } from '../release/digest.js';
import { currentLink, UNFINISHED } from '../release/release-store.js';
import { newRedisForTest } from '../testing/redis-server.js';
import type { ApiServer } from './api-server.js';
import { chooseAttempt, runAttempt } from './attempt.js';
import { checkOutput } from './check-output.js';
import { countryOf, SOAK_FEEDS, writeFeeds } from './input-feeds.js';
import { runIpatlas } from './ipatlas-process.js';
import { Lifespan } from './lifespan.js';
import type { SmallDisk } from './small-disk.js';
import type { SoakedStore } from './soaked-store.js';

/** One night: its number, its folders, and what takes part in it. */
export interface Night {
  /** Counts from 1. */
  readonly night: number;
  readonly dir: string;
  readonly outputDir: string;
  readonly main: string;
  readonly random: Random;
  readonly disk: SmallDisk | undefined;
  readonly server: ApiServer;
  /** Used in two of three nights. */
  readonly store: SoakedStore;
  /** The most lines that an undisturbed build has printed. */
  readonly lines: number;
  readonly inflicted: (fault: string) => void;
  /** Counts the end of a build. */
  readonly ended: (end: string) => void;
}

const KEPT_RELEASES = 3;
const MOST_ATTEMPTS = 12;

/** What a night showed. */
export interface NightEnd {
  /** The broken guarantees, one line each. */
  readonly problems: readonly string[];
  /** The most lines that an undisturbed build has printed. */
  readonly lines: number;
}

/** Runs the builds of one night: some that are disturbed, then one that is not. */
export async function runNight(night: Night): Promise<NightEnd> {
  const feedsDir = join(night.dir, 'feeds');
  const problems: string[] = [];
  const before = night.night === 1 ? [] : [countryOf(night.night - 1)];
  let countries = night.night === 1 ? [] : [...before, countryOf(night.night)];
  const releases = Math.min(KEPT_RELEASES, night.night - 1);
  const attempts = 1 + night.random.below(MOST_ATTEMPTS);
  // The other nights are builds without a store, which the next one with it makes up for.
  const store = night.random.once(3) ? undefined : night.store;
  const variables = { ...variablesOf(night, feedsDir), ...store?.variables };
  const last = (await night.store.check([])).country;
  for (let i = 0; i < attempts; i++) {
    writeFeeds(bundledFeeds(night), feedsDir, night.night);
    const lifespan = new Lifespan();
    try {
      problems.push(...(await runDisturbed(night, { variables, feedsDir, lifespan, store })));
    } finally {
      await lifespan.end();
    }
    const checked = await checkOutput(night.outputDir, { countries, releases });
    const followed = await night.store.check(last === undefined ? [] : [last, countryOf(night.night)]);
    problems.push(...checked.problems, ...followed.problems.map((problem) => `following server: ${problem}`));
    // Once tonight's release is current, the last night's must not come back.
    if (checked.country === countryOf(night.night)) countries = [checked.country];
  }
  writeFeeds(bundledFeeds(night), feedsDir, night.night);
  const { problems: atTheEnd, lines } = await finishNight(night, variables, store);
  return { problems: [...problems, ...atTheEnd], lines };
}

interface Disturbed {
  readonly variables: Readonly<Record<string, string>>;
  readonly feedsDir: string;
  readonly lifespan: Lifespan;
  readonly store: SoakedStore | undefined;
}

async function runDisturbed(
  night: Night,
  { variables, feedsDir, lifespan, store }: Disturbed,
): Promise<readonly string[]> {
  const { main, random, disk, server, outputDir, inflicted, lines } = night;
  const shared = random.once(3) ? await newRedisForTest(lifespan) : undefined;
  const around = {
    main,
    random,
    disk,
    feedsDir,
    inflicted,
    store,
    lines,
    variables: shared ? { ...variables, REDIS_URL: shared.url } : variables,
    hasWorker: shared !== undefined,
    killServer: () => server.killAndStart(),
    killRedis: async () => {
      const pid = shared?.pid ?? (await privateRedisOf(outputDir));
      return pid !== undefined && process.kill(pid, 'SIGKILL');
    },
  };
  const { end, problems } = await runAttempt(chooseAttempt(random, around), around);
  night.ended(end);
  return problems;
}

/** Runs the undisturbed build and checks what it leaves. */
async function finishNight(
  night: Night,
  variables: Readonly<Record<string, string>>,
  store: SoakedStore | undefined,
): Promise<NightEnd> {
  const { main, outputDir, server } = night;
  const { end, output } = await runIpatlas({ main, args: ['build'], variables });
  night.ended(end);
  const printed = output.trimEnd().split('\n');
  const lines = Math.max(printed.length, night.lines);
  if (end !== '0') return { problems: [`the undisturbed build ends with ${end}: ${printed.at(-1)}`], lines };
  const releases = Math.min(KEPT_RELEASES, night.night);
  const { id, problems } = await checkOutput(outputDir, { countries: [countryOf(night.night)], releases });
  const found = [...problems];
  const served = id === undefined ? undefined : await server.untilServed(id);
  if (served !== undefined) found.push(served);
  if (store && id !== undefined) found.push(...(await checkFollowed(store, id, countryOf(night.night))));
  const unfinished = readdirSync(outputDir, { recursive: true, encoding: 'utf8' });
  const left = unfinished.filter((path) => path.includes(UNFINISHED));
  if (left.length > 0) found.push(`unfinished files are left: ${left.join(', ')}`);
  if (night.night % COMPARED_NIGHTS === 0) found.push(...(await compareWithBuildAlone(night, variables)));
  return { problems: found, lines };
}

/** Waits until the server that follows the store serves a release, and checks its folder. */
async function checkFollowed(store: SoakedStore, id: string, country: string): Promise<string[]> {
  const served = await store.server.untilServed(id);
  const { problems } = await store.check([country]);
  const found = served === undefined ? problems : [...problems, served];
  return found.map((problem) => `following server: ${problem}`);
}

/** Every this many nights the result is compared with that of a build that was never disturbed. */
const COMPARED_NIGHTS = 10;

async function compareWithBuildAlone(
  { dir, main, outputDir }: Night,
  variables: Readonly<Record<string, string>>,
): Promise<string[]> {
  const alone = join(dir, 'alone');
  rmSync(alone, { recursive: true, force: true });
  await runIpatlas({ main, args: ['build'], variables: { ...variables, OUTPUT: alone, STORE: '' } });
  const found: string[] = [];
  for (const name of ['geo.mmdb', 'isp.mmdb', 'download/geo.mmdb']) {
    const digestIn = async (folder: string): Promise<string> =>
      (await sha256File(join(currentLink(folder), name))).sha256;
    if ((await digestIn(outputDir)) !== (await digestIn(alone))) {
      found.push(`${name} differs from that of a build alone`);
    }
  }
  return found;
}

function variablesOf({ night, outputDir }: Night, feedsDir: string): Record<string, string> {
  return {
    FEEDS: feedsDir,
    OUTPUT: outputDir,
    OUTPUT_DIR: outputDir,
    BUILD_FEEDS: SOAK_FEEDS,
    REDIS_URL: '',
    KEEP_RELEASES: String(KEPT_RELEASES),
    SOURCE_DATE_EPOCH: String(FIRST_NIGHT + night * 86_400),
  };
}

/** 2023-11-14, in seconds since 1970. Thousands of nights fit before today. */
const FIRST_NIGHT = 1_700_000_000;

function bundledFeeds({ main }: Night): string {
  return join(main, '../../../fixtures/feeds');
}

/** Returns the process id of the private Redis of a build; undefined if none runs. */
async function privateRedisOf(outputDir: string): Promise<number | undefined> {
  const socketPath = findSocketPath(redisDirOf(outputDir));
  if (socketPath === undefined) return undefined;
  return probe({ socketPath }).catch(() => undefined);
}
