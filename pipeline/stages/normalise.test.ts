import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { openFileAt, PROJECT_ROOT } from '../../fixtures/open-file.js';
import { own } from '../feeds/own.js';
import { normalise, type NormalisedFeed } from './normalise.js';
import { sweepCache } from './prune-cache.js';

const NAME = 'own-0123456789abcdef';

/** An output folder, and the places of the tables in its cache. */
function newCache(t: Test): { outputDir: string; tables: string; dir: string } {
  const outputDir = t.testdir({ cache: { tables: {} } });
  const tables = join(outputDir, 'cache', 'tables');
  return { outputDir, tables, dir: join(tables, NAME) };
}

/** Makes the table of the feed `own` from its overrides alone. */
function makeTable(dir: string): Promise<NormalisedFeed> {
  const open = () => [openFileAt(join(PROJECT_ROOT, 'fixtures/feeds/own/overrides.csv'), 'plain')];
  return normalise({ feed: own, open, dir, onProgress: () => undefined });
}

t.test("a table in the making is another worker's, though it has the same process id", async (t) => {
  const { outputDir, tables, dir } = newCache(t);
  const others = `${NAME}.tmp-${process.pid}`;
  mkdirSync(join(tables, others));
  writeFileSync(join(tables, others, 'table.mmdb'), 'half a ta');
  const { networks } = await makeTable(dir);
  t.ok(networks > 0);
  t.same(readdirSync(tables), [NAME, others], 'nothing else is left either');
  t.same(readdirSync(join(tables, others)), ['table.mmdb']);
  await sweepCache(outputDir);
  t.same(readdirSync(tables), [NAME], 'what killed runs have left is swept when a build begins');
});
