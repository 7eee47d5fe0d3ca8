#!/usr/bin/env node
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { program } from './program.js';

/** Where the compiled project lies: `dist/pipeline/main.js` in the project's folder. */
const projectDir = fileURLToPath(new URL('../..', import.meta.url));

const { env } = process;
process.exitCode = await program({
  feeds: env['FEEDS'] ?? '',
  bundledFeedsDir: resolve(projectDir, 'fixtures/feeds'),
  outputDir: resolve(env['OUTPUT'] ?? resolve(projectDir, 'output')),
  redisUrl: env['REDIS_URL'] === '' ? undefined : env['REDIS_URL'],
  sourceDateEpoch: env['SOURCE_DATE_EPOCH'] ?? '',
  concurrency: availableParallelism(),
  argv: process.argv,
});
