import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { printableOutput } from '../text/printable.js';
import type { Environment } from './environment.js';

/** The parts of an environment that are not variables. */
export type OfProcess = Pick<Environment, 'processor' | 'stdin'> & {
  readonly stdout: Environment['results'];
  readonly stderr: Environment['progress'] & { readonly isTTY?: boolean };
  /** The project's folder. */
  readonly projectDir: string;
};

/** Reads the variables of a process. An empty variable counts as not set. */
export function processEnvironment(
  env: NodeJS.ProcessEnv,
  { projectDir, processor, stdin, stdout, stderr }: OfProcess,
): Environment {
  return {
    feeds: env['FEEDS'] ?? '',
    buildFeeds: env['BUILD_FEEDS'] ?? '',
    datasetFeeds: env['DATASET_FEEDS'] ?? '',
    projectDir,
    bundledFeedsDir: resolve(projectDir, 'fixtures/feeds'),
    outputDir: resolve(env['OUTPUT'] ?? env['OUTPUT_DIR'] ?? resolve(projectDir, 'output')),
    redisUrl: env['REDIS_URL'] === '' ? undefined : env['REDIS_URL'],
    sourceDateEpoch: env['SOURCE_DATE_EPOCH'] ?? '',
    buildJobs: env['BUILD_JOBS'] ?? '',
    processors: availableParallelism(),
    mirror: env['IPATLAS_MIRROR'] === '' ? undefined : env['IPATLAS_MIRROR'],
    ribCollectors: env['RIB_COLLECTORS'] ?? '',
    relaysAreProxies: env['RELAYS_ARE_PROXIES'] ?? '',
    keepReleases: env['KEEP_RELEASES'] ?? '',
    cacheGb: env['CACHE_GB'] ?? '',
    readVariable: (name) => env[name],
    processor,
    stdin,
    stdout: printableOutput(stdout),
    results: stdout,
    stderr: printableOutput(stderr),
    progress: stderr,
    isTerminal: stderr.isTTY === true && env['TERM'] !== 'dumb',
  };
}
