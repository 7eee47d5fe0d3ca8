import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { PROJECT_ROOT } from '../../fixtures/open-file.js';
import { publishRelease } from '../release/publish-release.js';
import { exampleManifest, makeWorkDir } from '../release/testing/example-release.js';
import { snapshotSchema } from '../snapshot/snapshot.js';
import { fetchSource } from '../snapshot/take-snapshot.js';
import { ingestResultSchema, ingestSource, type IngestResult } from './ingest-source.js';
import type { StageContext } from '../stage/stage.js';

/** Ingests one feed from an input folder into an output folder; `publish` makes its result the last good copies. */
function nights(t: Test, feed = 'own') {
  const dir = t.testdir({ feeds: {}, output: { cache: { tables: {} } } });
  const [feedsDir, outputDir] = [join(dir, 'feeds'), join(dir, 'output')];
  const log: string[] = [];
  /** Reported bytes, one entry for each time that the files are read. */
  const bytesPerRead: number[] = [];
  const context: StageContext = {
    settings: {
      feedsDir,
      outputDir,
      bundledFeedsDir: join(PROJECT_ROOT, 'fixtures/feeds'),
      feeds: [feed],
      sources: [],
      lists: [],
      datasetFeeds: [],
      began: 0,
      concurrency: 1,
    },
    progress: ({ bytesDone, rows }) => {
      if (bytesDone === undefined || rows === undefined) return;
      if (bytesPerRead.length === 0 || bytesDone < bytesPerRead.at(-1)!) bytesPerRead.push(bytesDone);
      bytesPerRead[bytesPerRead.length - 1] = bytesDone;
    },
    log: (line) => log.push(line),
    children: {},
  };
  const write = (files: Readonly<Record<string, string | Uint8Array>>): void => {
    for (const [id, bytes] of Object.entries(files)) {
      mkdirSync(dirname(join(feedsDir, id)), { recursive: true });
      writeFileSync(join(feedsDir, id), bytes);
    }
  };
  const night = async (): Promise<IngestResult> => {
    bytesPerRead.length = 0;
    const snapshot = await fetchSource({ source: feed }, context);
    const children = { [`fetch:${feed}`]: snapshot };
    return ingestResultSchema.parse(await ingestSource({ source: feed }, { ...context, children }));
  };
  /** A night with FEEDS=live. The files that fail are those of the last night. */
  const liveNight = async (since: string, failing: readonly string[] = []): Promise<IngestResult> => {
    const snapshot = snapshotSchema.parse(await fetchSource({ source: feed }, context));
    const isFailing = ({ id }: { readonly id: string }): boolean => failing.includes(id);
    const files = snapshot.files.map((file) => (isFailing(file) ? { ...file, stale: true } : file));
    const notFetched = files.filter(isFailing).map(({ id, pattern }) => {
      return { file: id, refusal: 'download' as const, found: 'HTTP 503', patterns: [pattern], held: true };
    });
    const settings = { ...context.settings, live: { since, collectors: [] } };
    const children = { [`fetch:${feed}`]: { ...snapshot, files, notFetched } };
    return ingestResultSchema.parse(await ingestSource({ source: feed }, { ...context, settings, children }));
  };
  let epoch = 100;
  const publish = async ({ input }: IngestResult): Promise<void> => {
    epoch += 100;
    const manifest = { ...exampleManifest(epoch), inputs: [input] };
    await publishRelease({ outputDir, manifest, workDir: makeWorkDir(outputDir, epoch) });
  };
  const tables = (): string[] => readdirSync(join(outputDir, 'cache', 'tables'));
  return { write, night, liveNight, publish, log, bytesPerRead, tables, feedsDir };
}

const refusalsOf = ({ input }: IngestResult): string[] =>
  input.refusals.map(({ file, refusal, usedInstead }) => `${file} ${refusal} ${usedInstead}`);

/** The feed's own files that were used, with their rows. */
const filesOf = ({ input }: IngestResult): string[] =>
  input.files.filter(({ id }) => !id.startsWith('iana/')).map(({ id, rows }) => `${id} ${rows}`);

/** Returns `rows` lines of a geofeed, starting at 20.0.0.0/24. */
function geofeed(rows: number, country = 'DE'): string {
  return Array.from({ length: rows }, (_row, n) => `20.${n >> 8}.${n & 255}.0/24,${country},,,\n`).join('');
}

t.test(
  'any number of files with too many bad rows are refused together, after the files are read once',
  async (t) => {
    const { write, night, bytesPerRead, tables } = nights(t);
    const bad = Array.from({ length: 6 }, (_file, n) => `own/geofeeds/bad${n}.csv`);
    write({ 'own/geofeeds/good.csv': geofeed(9) });
    write(Object.fromEntries(bad.map((id) => [id, geofeed(3, 'no country')])));
    const result = await night();
    t.same(
      refusalsOf(result),
      bad.map((id) => `${id} tolerance nothing`),
    );
    t.same(filesOf(result), ['own/geofeeds/good.csv 9']);
    t.equal(bytesPerRead.length, 2);
    t.equal(tables().length, 1, 'the refused files leave no table');
  },
);

t.test('a geofeed may shrink', async (t) => {
  const { write, night, publish } = nights(t);
  write({ 'own/geofeeds/x.csv': geofeed(3) });
  await publish(await night());
  write({ 'own/geofeeds/x.csv': geofeed(1) });
  const result = await night();
  t.same(refusalsOf(result), []);
  t.same(filesOf(result), ['own/geofeeds/x.csv 1']);
});

t.test('an unreadable path is reported and does not fail the build', async (t) => {
  const { write, night, publish, feedsDir } = nights(t, 'tor');
  const [id, path] = ['tor/torbulkexitlist', join(feedsDir, 'tor/torbulkexitlist')];
  write({ [id]: '185.220.101.1\n185.220.101.2\n' });
  await publish(await night());
  const replacements: Readonly<Record<string, () => void>> = {
    'broken symbolic link': () => {
      symlinkSync(join(feedsDir, 'not mounted'), path);
    },
    'cannot be read: ELOOP': () => {
      symlinkSync(path, path);
    },
    'not a regular file': () => {
      symlinkSync(feedsDir, path);
    },
    // Opening a pipe blocks until it has a writer.
    'not a regular file ': () => execFileSync('mkfifo', [path]),
  };
  for (const [found, replace] of Object.entries(replacements)) {
    rmSync(path);
    replace();
    const result = await night();
    t.same(result.input.refusals, [
      { file: id, refusal: 'missing', found: found.trim(), usedInstead: 'last good copy' },
    ]);
    t.same(filesOf(result), [`${id} 2`]);
  }
});

t.test(
  'copies of a cloud that could not be refreshed for 180 days are left out of own, and reported',
  async (t) => {
    const { write, liveNight, publish } = nights(t);
    const aws = 'cloud/ip-ranges.json';
    write({
      'own/geofeeds/a.csv': geofeed(9),
      [aws]: readFileSync(join(PROJECT_ROOT, 'fixtures/feeds', aws)),
    });
    const first = await liveNight('2026-01-01T03:30:00.000Z');
    t.same(refusalsOf(first), []);
    await publish(first);
    const last = await liveNight('2026-06-30T03:30:00.000Z', [aws]);
    t.same(refusalsOf(last), [`${aws} download last good copy`]);
    t.same(filesOf(last), filesOf(first));
    await publish(last);
    const expired = await liveNight('2026-07-01T03:30:00.000Z', [aws]);
    t.same(refusalsOf(expired), [`${aws} download nothing`]);
    t.match(expired.input.refusals[0]?.found, 'HTTP 503; the last copy is beyond its maximum age');
    t.same(filesOf(expired), ['own/geofeeds/a.csv 9']);
    await publish(expired);
    const renewed = await liveNight('2026-07-02T03:30:00.000Z');
    t.same([refusalsOf(renewed), filesOf(renewed)], [[], filesOf(first)]);
  },
);
