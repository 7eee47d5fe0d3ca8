import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { SNAPSHOT } from '../../fixtures/generate/geolite2.js';
import { zipFile } from '../../fixtures/generate/zip-file.js';
import * as hand from '../mmdb/testing/hand-made.js';
import { alignColumns } from '../release/columns.js';
import { copyFeeds, ipatlas, outputFolder, PROJECT, type Ended } from './testing/command-line.js';

/** Clears the screen, turns the direction of text, and begins a line of its own. */
const HOSTILE = 'x\u001b[2J\u009b2J\u202e\u2028\u200b\rFORGED';
const WITH_LINE = `${HOSTILE}\nFORGED`;
const UNSAFE = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Fails if a command printed unsafe characters or a forged line, or did not print the hostile text at all. */
function checkPrinted(t: Test, { stdout, stderr }: Ended, escape = '\\x1b[2J\\x9b2J\\u{202e}'): void {
  const printed = stdout + stderr;
  t.ok(printed.includes(escape), 'the text was printed');
  t.notMatch(printed, UNSAFE);
  t.notMatch(printed, /^FORGED/m);
}

t.test('verify escapes the file name and the type of a database', async (t) => {
  const path = join(outputFolder(t), `${WITH_LINE}.mmdb`);
  const metadata = { database_type: hand.utf8(WITH_LINE), build_epoch: hand.uint64(2n ** 64n - 1n) };
  writeFileSync(path, hand.handMade({ nodes: [['none', { data: 0 }]], data: hand.utf8('x'), metadata }));
  checkPrinted(t, await ipatlas(t, {}, 'verify', path));
  const json = await ipatlas(t, {}, '--json', 'verify', path);
  checkPrinted(t, json, '\\u001b[2J\\u009b2J\\u202e\\u2028\\u200b\\rFORGED\\nFORGED');
  t.match(JSON.parse(json.stdout), { metadata: { databaseType: WITH_LINE } });
  const gone = await ipatlas(t, {}, 'verify', `${path}.gone`);
  checkPrinted(t, gone);
  t.match(gone.stderr, /^ipatlas: [^\n]*\n$/);
});

t.test(
  'a build escapes names of zip entries and rejected rows, in its summary and in its progress',
  async (t) => {
    const FEEDS = copyFeeds(t);
    const entry = { name: WITH_LINE, bytes: Buffer.from('x') };
    writeFileSync(join(FEEDS, `geolite2/${SNAPSHOT}.zip`), zipFile([entry, entry]));
    const geofeed = join(FEEDS, 'own/geofeeds/flexnetworks.csv');
    writeFileSync(geofeed, `${HOSTILE},CA,CA-MB,Winnipeg,\n${readFileSync(geofeed, 'utf8')}`);
    const settings = { FEEDS, OUTPUT: outputFolder(t), SOURCE_DATE_EPOCH: '1795046400' };
    const built = await ipatlas(t, settings, 'build');
    checkPrinted(t, built);
    checkPrinted(t, await ipatlas(t, settings, '--json', 'build', '--force'), '\\u001b[2J\\u009b2J\\u202e');
  },
);

t.test('a usage error escapes what was given', async (t) => {
  checkPrinted(t, await ipatlas(t, {}, 'inspect', WITH_LINE));
  checkPrinted(t, await ipatlas(t, { FEEDS: `/${WITH_LINE}` }, 'build'));
  checkPrinted(t, await ipatlas(t, {}, WITH_LINE.replace('\n', '')));
});

t.test('a cell of a table is one line with a greatest length', (t) => {
  const long = 'y'.repeat(100_000);
  const lines = alignColumns([
    [WITH_LINE, 'a'],
    ['b', 'c'],
    ['d', long],
  ]);
  t.notMatch(lines.join(''), UNSAFE);
  t.notMatch(lines.join(''), '\n');
  t.ok(lines.join('').length < 10_000);
  t.end();
});

/** The only files that may use the streams of the process: they wrap them, write text of their own, or exported data. */
const OWN_STREAMS = [
  'pipeline/main.ts',
  'pipeline/export/block-writer.ts',
  'server/metrics/access-log.ts',
  // Its samples of code print.
  'server/pages/docs/samples.ts',
];

t.test('all other modules of the product print through the writers that escape', (t) => {
  const files = ['pipeline', 'server'].flatMap((folder) =>
    readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name}`)
      .filter(
        (name) =>
          name.endsWith('.ts') &&
          !/\.(test|bench)\.ts$|\/(testing|bench|fuzz)\/|(bench|clients|fuzz|soak)\.ts$/.test(name),
      ),
  );
  t.ok(files.length > 300);
  const direct = files.filter((name) =>
    /process\.(stdout|stderr)|\bconsole\.\w+\(|\{[^}]*\b(stdout|stderr)\b[^}]*\} = process\b/.test(
      readFileSync(join(PROJECT, name), 'utf8'),
    ),
  );
  t.same(direct, OWN_STREAMS);
  t.end();
});
