import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printJson, type BenchReport } from '../../pipeline/bench/bench-report.js';
import { openAccountsRedis, type AccountsRedis } from '../../pipeline/jobs/accounts-redis.js';

/** Runs a benchmark and prints its report. Removes its folder and its Redis afterwards. */
export async function printReport(
  report: (outputDir: string, redis: AccountsRedis) => Promise<BenchReport>,
): Promise<void> {
  const outputDir = mkdtempSync(join(tmpdir(), 'ipatlas-bench-'));
  const redis = await openAccountsRedis({ redisUrl: undefined, outputDir, log: () => undefined });
  try {
    printJson(await report(outputDir, redis));
  } finally {
    await redis.stop();
    rmSync(outputDir, { recursive: true, force: true });
  }
}
