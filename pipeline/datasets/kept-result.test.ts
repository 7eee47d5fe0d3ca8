import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { z } from 'zod';
import { sweepCache } from '../ingest/cache-folders.js';
import { pruneCache } from '../ingest/prune-cache.js';
import type { BuildSettings } from '../stage/settings.js';
import { FolderStore } from '../store/folder-store.js';
import { RemoteTier } from '../store/remote-tier.js';
import { keptResult, requireKept } from './kept-result.js';

/** Work that counts how often it is done, in the cache of a new output folder. */
function workIn(outputDir: string, remote?: RemoteTier) {
  const logged: string[] = [];
  const settings = { outputDir } as BuildSettings;
  const context = { settings, log: (line: string) => void logged.push(line), ...(remote && { remote }) };
  let times = 0;
  const keep = (made = 'version 1') =>
    keptResult(
      {
        name: 'sum',
        made: [made],
        result: z.strictObject({ sum: z.int() }),
        write: (dir) => {
          writeFileSync(join(dir, 'file'), `content ${++times}`);
          return Promise.resolve({ sum: 3 });
        },
      },
      context,
    );
  return { keep, logged, context, times: () => times };
}

t.test('equal work is done once, and found afterwards', async (t) => {
  const outputDir = t.testdir();
  const { keep, times, context } = workIn(outputDir);
  const first = await keep();
  t.same(first.result, { sum: 3 });
  t.strictSame(await keep(), first);
  t.equal(times(), 1);
  t.equal(readFileSync(join(await requireKept(first.folder, context), 'file'), 'utf8'), 'content 1');
  const other = await keep('version 2');
  t.not(other.folder, first.folder);
  t.equal(times(), 2);
});

t.test('a folder in which a file or the result is damaged or missing is made again', async (t) => {
  const outputDir = t.testdir();
  const { keep, times, logged, context } = workIn(outputDir);
  const { folder } = await keep();
  const dir = await requireKept(folder, context);
  const damages: readonly [string, () => void][] = [
    [
      'another content',
      () => {
        writeFileSync(join(dir, 'file'), 'damaged');
      },
    ],
    [
      'no file',
      () => {
        rmSync(join(dir, 'file'));
      },
    ],
    [
      'no result',
      () => {
        rmSync(join(dir, 'result.json'));
      },
    ],
    [
      'half a result',
      () => {
        writeFileSync(join(dir, 'result.json'), '{"result":');
      },
    ],
    [
      'another result',
      () => {
        writeFileSync(join(dir, 'result.json'), '{"result":{"sum":"3"},"files":{}}');
      },
    ],
  ];
  for (const [i, [damage, make]] of damages.entries()) {
    make();
    t.same((await keep()).result, { sum: 3 }, damage);
    t.equal(times(), i + 2, damage);
    t.match(logged[i], `${folder} of an earlier run is damaged`);
  }
});

t.test('work that fails leaves nothing', async (t) => {
  const outputDir = t.testdir();
  const failing = keptResult(
    {
      name: 'sum',
      made: [],
      result: z.null(),
      write: (dir) => {
        writeFileSync(join(dir, 'file'), 'half');
        return Promise.reject(new Error('full'));
      },
    },
    { settings: { outputDir }, log: () => undefined },
  );
  await t.rejects(failing, { message: 'full' });
  t.same(partsIn(outputDir), []);
});

t.test('another machine finds the work in the store', async (t) => {
  const dir = t.testdir({ store: {}, here: {}, there: {} });
  const store = new FolderStore(join(dir, 'store'));
  const remote = () => new RemoteTier(() => Promise.resolve(store), { log: () => undefined });
  const made = await workIn(join(dir, 'here'), remote()).keep();
  const other = workIn(join(dir, 'there'), remote());
  t.strictSame(await other.keep(), made);
  t.equal(other.times(), 0);
  t.equal(readFileSync(join(await requireKept(made.folder, other.context), 'file'), 'utf8'), 'content 1');
});

t.test('unfinished folders are swept before a build, finished ones after a publication', async (t) => {
  const outputDir = t.testdir({ cache: { parts: { 'sum-1.tmp-x': { file: 'half' } } } });
  await workIn(outputDir).keep();
  t.equal(partsIn(outputDir).length, 2);
  await sweepCache(outputDir);
  t.equal(partsIn(outputDir).length, 1);
  await pruneCache(outputDir);
  t.same(partsIn(outputDir), []);
});

function partsIn(outputDir: string): string[] {
  return readdirSync(join(outputDir, 'cache/parts'));
}
