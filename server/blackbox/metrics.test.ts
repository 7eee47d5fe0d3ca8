import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Registry } from 'prom-client';
import t from 'tap';
import { PROJECT_ROOT } from '../../fixtures/open-file.js';
import { addLogMetrics } from '../metrics/access-log.js';
import { addStoreMetrics } from '../process/follow-store.js';
import { runServer } from '../testing/running-server.js';

const HEAD = '| metric | type | labels | meaning |';

/** Returns the rows of the table of metrics in a guide, without the line under its head. */
function rowsIn(guide: string): string[] {
  const lines = guide.split('\n').map((line) => line.trim());
  const begin = lines.indexOf(HEAD) + 2;
  const rows = lines.slice(begin);
  return rows.slice(
    0,
    rows.findIndex((line) => !line.startsWith('|')),
  );
}

/** Returns a row for each metric of ours. Those of the process have other names. */
async function rowsOf(registry: Registry): Promise<string[]> {
  const labels = new Map(
    registry
      .getMetricsAsArray()
      .map((metric) => [metric.name, (metric as unknown as { labelNames: readonly string[] }).labelNames]),
  );
  const metrics = (await registry.getMetricsAsJSON()).filter(({ name }) => name.startsWith('ipatlas_'));
  return metrics.map(({ name, type, help }) => {
    const names = labels.get(name)!.map((label) => `\`${label}\``);
    return `| \`${name}\` | ${String(type)} | ${names.join(', ')} | ${help} |`.replace('|  |', '| |');
  });
}

t.test('the table of metrics in server/README.md has every metric, and no other', async (t) => {
  const { running } = await runServer(t);
  addLogMetrics(running.metrics.registry, { dropped: () => 0 });
  addStoreMetrics(running.metrics.registry, { ageSeconds: () => 0 });
  const rows = await rowsOf(running.metrics.registry);
  t.ok(rows.length > 10);
  t.same(rowsIn(readFileSync(join(PROJECT_ROOT, 'server/README.md'), 'utf8')).sort(), rows.sort());
});
