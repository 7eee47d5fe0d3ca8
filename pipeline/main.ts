#!/usr/bin/env node
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram } from './commands/program.js';

/** The project's folder; this file is compiled to `dist/pipeline/main.js`. */
const projectDir = fileURLToPath(new URL('../..', import.meta.url));
const { env } = process;

// Whoever reads our output may stop reading (`| head`): that is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const exitCode = await runProgram(process.argv.slice(2), {
  feeds: env['FEEDS'] ?? '',
  buildFeeds: env['BUILD_FEEDS'] ?? '',
  datasetFeeds: env['DATASET_FEEDS'] ?? '',
  bundledFeedsDir: resolve(projectDir, 'fixtures/feeds'),
  outputDir: resolve(env['OUTPUT'] ?? env['OUTPUT_DIR'] ?? resolve(projectDir, 'output')),
  redisUrl: env['REDIS_URL'] === '' ? undefined : env['REDIS_URL'],
  sourceDateEpoch: env['SOURCE_DATE_EPOCH'] ?? '',
  buildJobs: env['BUILD_JOBS'] ?? '',
  processors: availableParallelism(),
  mirror: env['IPATLAS_MIRROR'] === '' ? undefined : env['IPATLAS_MIRROR'],
  ribCollectors: env['RIB_COLLECTORS'] ?? '',
  relaysAreProxies: env['RELAYS_ARE_PROXIES'] ?? '',
  readVariable: (name) => env[name],
  processorFile: new URL('./jobs/processor.js', import.meta.url),
});

// Connections that Redis has dropped may sleep for seconds: the process ends once its output is out.
process.stdout.write('', () => process.exit(exitCode));
