import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { newRedisForTest } from '../../pipeline/testing/redis-server.js';
import { releaseDir } from '../../pipeline/release/release-store.js';
import { startMeasured, type ProcessFigures } from '../testing/measured-process.js';
import { testConfig } from '../testing/running-server.js';
import { SMALL } from '../testing/small-records.js';
import { publishSmallRelease } from '../testing/small-release.js';
import { swapBackAndForth } from '../testing/swap-back-and-forth.js';

const MODULE = fileURLToPath(new URL('../testing/measured-server.js', import.meta.url));
const BALLAST = 30_000;
const WARM_SWAPS = 4;
const MORE_SWAPS = 12;

// A busy machine swaps slowly.
t.setTimeout(120_000);

t.test('memory of a replaced release is freed', async (t) => {
  const outputDir = t.testdir();
  const redis = await newRedisForTest(t);
  const ids = [
    await publishSmallRelease(outputDir, { marker: 'one', ballast: BALLAST }),
    await publishSmallRelease(outputDir, { marker: 'two', ballast: BALLAST }),
  ];
  const releaseMb = statSync(join(releaseDir(outputDir, ids[0]!), 'geo.mmdb')).size / 1e6;
  t.ok(releaseMb > 2);
  const server = await startMeasured(MODULE, testConfig(outputDir, redis.url));
  t.teardown(() => {
    server.stop();
  });
  const swap = async (times: number): Promise<ProcessFigures> => {
    await swapBackAndForth({ url: server.url, outputDir }, ids, times);
    // Answers do not keep a release in memory after they are sent.
    await fetch(`${server.url}/api/ip/${SMALL.google}`);
    return server.ask('collect');
  };
  const before = await swap(WARM_SWAPS);
  const after = await swap(MORE_SWAPS);
  const grown = after.heapMb + after.externalMb - before.heapMb - before.externalMb;
  t.ok(
    grown < 3 * releaseMb,
    `${grown.toFixed(1)} MB more after ${MORE_SWAPS} swaps of releases of ${releaseMb.toFixed(1)} MB`,
  );
});
