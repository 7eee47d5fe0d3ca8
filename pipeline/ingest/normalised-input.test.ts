import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { FeedError } from '../input/feed-error.js';
import type { OpenFile } from '../input/published-source.js';
import { KeptFolder } from '../store/kept-folder.js';
import { readNormalised, type FileTallies } from './normalised-input.js';
import { normalise, type Normalisation } from './normalise.js';
import type { Reader } from './reader.js';

/** Reads files of one word per line into a folder of two files, and rejects the row `bad`. */
const WORDS: Reader = {
  source: {
    id: 'words',
    publisher: 'Example',
    licence: { name: 'CC0', url: 'https://example.org/', terms: 'free' },
    version: 1,
    tolerance: 0.5,
  },
  normalise: (files, { dir, tallyOf }) => {
    const words: string[] = [];
    for (const file of files.filter(({ name }) => name !== 'unread')) {
      const lines = readFileSync(file.path, 'utf8').trim().split('\n');
      file.onRead(file.sizeBytes);
      lines.forEach((line, n) => {
        if (line === 'bad') tallyOf(file).reject('columns', n + 1, line);
        else tallyOf(file).accept();
      });
      words.push(...lines);
    }
    if (words.includes('unusable')) throw new FeedError('header', 'words/a', 'unusable');
    mkdirSync(join(dir, 'more'));
    writeFileSync(join(dir, 'words'), words.join(' '));
    writeFileSync(join(dir, 'more/count'), `${words.length}`);
    return Promise.resolve(undefined);
  },
};

/** Returns a function that normalises files into a cache, and the cache. */
function newCache(t: Test, contents: Readonly<Record<string, string>>) {
  const dir = t.testdir({ files: contents, cache: { sources: {} } });
  const open = (onRead: (bytes: number) => void): OpenFile[] =>
    Object.entries(contents).map(([name, text]) => {
      const path = join(dir, 'files', name);
      const about = { id: `words/${name}`, folder: 'words', name, container: 'plain' } as const;
      return { ...about, path, sizeBytes: text.length, maxUnpackedBytes: Infinity, onRead };
    });
  const folder = new KeptFolder(dir, 'sources/words-1');
  const lines: string[] = [];
  const log = (line: string): void => void lines.push(line);
  const progress: number[] = [];
  const run = (more: Partial<Normalisation> = {}) =>
    normalise({
      reader: WORDS,
      open,
      folder,
      judge: () => undefined,
      onProgress: ({ bytesDone }) => progress.push(bytesDone),
      log,
      ...more,
    });
  return { run, folder, log, lines, progress, folders: () => readdirSync(join(dir, 'cache/sources')) };
}

t.test('the content of a source is stored with its counts, and found again', async (t) => {
  const { run, folder, log, lines, progress, folders } = newCache(t, { a: 'x\nbad\n', unread: 'y\n' });
  const made = await run();
  t.match(made.tallies, {
    'words/a': { rows: 2, accepted: 1, rejected: 1, rejections: { columns: { count: 1 } } },
    'words/unread': { rows: 0, unread: true },
  });
  t.equal(made.networks, undefined);
  t.equal(progress.at(-1), 6, 'bytes read');
  t.same(await readNormalised(folder, log), made);
  t.same(lines, []);
  t.same(folders(), ['words-1']);
  t.equal(readFileSync(join(folder.dir, 'words'), 'utf8'), 'x bad');
});

t.test('one damaged file of several makes all of them be written again', async (t) => {
  for (const name of ['words', 'more/count']) {
    const { run, folder, log, lines } = newCache(t, { a: 'x\n' });
    const made = await run();
    writeFileSync(join(folder.dir, name), 'damaged');
    t.equal(await readNormalised(folder, log), undefined, name);
    t.match(lines, [/damaged/]);
    t.same(await run(), made);
  }
});

t.test('an unusable file or a refusal by the judge leaves nothing behind', async (t) => {
  const unusable = newCache(t, { a: 'unusable\n' });
  await t.rejects(unusable.run(), { name: 'FeedError', refusal: 'header' });
  t.same(unusable.folders(), []);
  const refused = newCache(t, { a: 'bad\n' });
  const seen: FileTallies[] = [];
  const judge = (tallies: FileTallies): void => {
    seen.push(tallies);
    throw new Error('too many');
  };
  await t.rejects(refused.run({ judge }), { message: 'too many' });
  t.match(seen, [{ 'words/a': { rejected: 1 } }]);
  t.same(refused.folders(), []);
});

t.test('with FEEDS=live a reader receives the start of the build', async (t) => {
  const { run } = newCache(t, { a: 'x\n' });
  const starts: (Date | undefined)[] = [];
  const reader: Reader = {
    ...WORDS,
    normalise: (_files, { now }) => {
      starts.push(now);
      return Promise.resolve(undefined);
    },
  };
  const now = new Date('2026-11-21T00:00:00Z');
  await run({ reader, now });
  await run({ reader });
  t.same(starts, [now, undefined]);
});
