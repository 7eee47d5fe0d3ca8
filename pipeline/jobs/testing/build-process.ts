import { plainReporter } from '../progress.js';
import { BuildRunningError } from '../build-lock.js';
import { InterruptedError } from '../interruption.js';
import { runBuild, runJoinedWorker } from '../run-build.js';

/**
 * Runs a build or a worker in its own process, for tests that kill it: `build-process.js build|worker <outputDir>
 * <feeds…>`. It sets its exit code and then ends by itself, so a handle left open shows as a hang.
 */
const [command, outputDir = '', ...feeds] = process.argv.slice(2);
const reporter = plainReporter({ write: (text) => process.stdout.write(text), now: Date.now });
const options = {
  redisUrl: process.env['REDIS_URL'],
  processor: new URL('./stages.js', import.meta.url),
  reporter,
};
try {
  if (command === 'worker') {
    await runJoinedWorker({ outputDir, concurrency: 2, cacheBytes: Infinity }, options);
  } else {
    const settings = {
      feedsDir: 'none',
      outputDir,
      feeds,
      sources: [],
      lists: [],
      datasetFeeds: [],
      began: 0,
      concurrency: 2,
    };
    const result = await runBuild({ settings, backoffMs: 20 }, options);
    process.stdout.write(`result ${JSON.stringify(result)}\n`);
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}\n`);
  process.exitCode = codeOf(error);
}

function codeOf(error: unknown): number {
  if (error instanceof BuildRunningError) return 75;
  return error instanceof InterruptedError ? error.exitCode : 1;
}
