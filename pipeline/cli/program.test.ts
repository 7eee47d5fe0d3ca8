import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import t from 'tap';
import * as hand from '../mmdb/testing/hand-made.js';
import { COMMAND_MODULES } from './commands.js';
import { processEnvironment } from './process-environment.js';
import {
  build,
  copyFeeds,
  copyOutput,
  geoPath,
  ipatlas,
  ipatlasProcess,
  outputFolder,
  PROJECT,
  served,
} from './testing/command-line.js';

const FEEDS = copyFeeds(t);
const OUTPUT = outputFolder(t);
await build(t, { FEEDS, OUTPUT, SOURCE_DATE_EPOCH: '1795046400' });
const first = await served(OUTPUT);
appendFileSync(join(FEEDS, 'own/overrides.csv'), '1.0.1.0/24,JP,,,,,,,moved tonight\n');
const night = await ipatlas(
  t,
  { FEEDS, OUTPUT, SOURCE_DATE_EPOCH: '1795132800' },
  'build',
  '--accept',
  'canaries',
);
const second = await served(OUTPUT);
const run = (...args: readonly string[]) => ipatlas(t, { OUTPUT }, ...args);

t.test('lists the releases and marks the current one', async (t) => {
  t.equal(night.code, 0, 'exit code', { stderr: night.stderr });
  const { code, stdout } = await run('releases');
  t.equal(code, 0);
  const [, newest, oldest] = stdout.split('\n');
  t.match(newest, new RegExp(`^\\* +${second.id} .*\\d kB +\\d,\\d{3}$`));
  t.match(oldest, new RegExp(`^ +${first.id} .*\\d kB +\\d,\\d{3}$`));
  const json = await run('releases', '--json');
  t.match(JSON.parse(json.stdout), [
    { id: second.id, isCurrent: true },
    { id: first.id, isCurrent: false },
  ]);
});

t.test('a comparison shows what moved, as text and as JSON', async (t) => {
  const { code, stdout } = await run('compare', first.id, 'current');
  t.equal(code, 0);
  t.match(stdout, /CN.*JP.*256/);
  const json = await run('--json', 'compare', first.id, second.id);
  t.match(JSON.parse(json.stdout), { geo: { moves: [{ from: 'CN', to: 'JP', ipv4Addresses: 256 }] } });
  const unknown = await run('compare', first.id, '20260101T000000Z-000000000000');
  t.equal(unknown.code, 1);
  t.match(
    unknown.stderr,
    new RegExp(`^ipatlas: .*release not found: 20260101T\\S+; kept releases: ${second.id}, ${first.id}\n$`),
  );
});

t.test('makes a report of any release, compared with the one before it', async (t) => {
  const published = readFileSync(join(OUTPUT, 'current', 'report.html'), 'utf8');
  t.match(published, `Compared with release ${first.id}.`);
  t.match(published, `Change: addresses with another country, region or city than in ${first.id}`);
  const printed = await run('report');
  t.equal(printed.stdout, published, 'the same as was published with it');
  const out = join(t.testdir({}), 'old.html');
  const written = await run('report', first.id, '--out', out);
  t.same([written.code, written.stdout], [0, `${out}: ${first.id}\n`]);
  t.match(readFileSync(out, 'utf8'), 'There is no earlier release to compare it with.');
  const backwards = await run('report', first.id, '--against', 'current', '--out', out, '--json');
  t.same(JSON.parse(backwards.stdout), { release: first.id, last: second.id, out });
  const compared = await run('report', '--compare');
  t.match(compared.stdout, 'geo.mmdb: moves between countries (1 of 1)');
  const unknown = await run('report', '20260101T000000Z-000000000000');
  t.equal(unknown.code, 1);
});

t.test('inspect shows the merged record and the verdict of each feed for an address', async (t) => {
  const { code, stdout } = await run('inspect', '1.0.1.1');
  t.equal(code, 0);
  t.ok(stdout.startsWith(`1.0.1.1 in release ${second.id}\n`));
  t.match(stdout, /^merged +1\.0\.1\.0\/24 +JP /m);
  t.match(stdout, /^own +1\.0\.1\.0\/24 +JP +\(override\) +country$/m);
  t.match(stdout, /^geolite2 +1\.0\.1\.0\/24 +CN /m);
  t.match(stdout, /^country JP Japan 日本: by override of own, confidence 99$/m);
  const json = await run('inspect', '--json', '--release', first.id, '1.0.1.1');
  t.match(JSON.parse(json.stdout), {
    release: first.id,
    geo: { prefix: '1.0.1.0/24', record: { country: { iso_code: 'CN' } } },
  });
  const unlisted = await run('inspect', '2400:1::1');
  t.equal(unlisted.code, 0);
  t.match(unlisted.stdout, /^merged +no record\nown +no record\ngeolite2 +no record\n$/m);
});

t.test('inspect of an invalid target is a usage error', async (t) => {
  const { code, stdout, stderr } = await run('inspect', '1.0.1.0/33');
  t.equal(code, 64);
  t.equal(stdout, '');
  t.equal(
    stderr,
    'ipatlas: invalid target "1.0.1.0/33": expected an IP address, a prefix or an AS number like AS13335\n',
  );
});

t.test('verify accepts a published file and rejects a damaged one', async (t) => {
  const good = await run('verify', geoPath(OUTPUT));
  t.equal(good.code, 0);
  t.match(good.stdout, /ipatlas-City, IPv6, \d\d bits[^]*\nvalid\n$/);
  const bytes = readFileSync(geoPath(OUTPUT));
  const damaged = join(outputFolder(t), 'geo.mmdb');
  // The root node points far beyond the end of the data.
  writeFileSync(damaged, Buffer.concat([Buffer.from([0xff, 0xff, 0xff]), bytes.subarray(3)]));
  const bad = await run('verify', damaged);
  t.equal(bad.code, 1);
  t.match(bad.stdout, /at offset \d+, path [^]*\ninvalid: [\d,]+ problems\n$/);
  const json = await run('verify', '--json', damaged);
  t.equal(json.code, 1);
  t.ok((JSON.parse(json.stdout) as { problemCount: number }).problemCount > 0);
  const gone = await run('verify', `${damaged}.gone`);
  t.equal(gone.code, 1);
  t.match(gone.stderr, /^ipatlas: .*ENOENT.*geo\.mmdb\.gone.*\n$/);
});

t.test('verify names the file, the value and what is allowed for a build epoch beyond dates', async (t) => {
  const path = join(outputFolder(t), 'foreign.mmdb');
  const metadata = { build_epoch: hand.uint64(2n ** 63n) };
  writeFileSync(path, hand.handMade({ nodes: [['none', { data: 0 }]], data: hand.utf8('x'), metadata }));
  const { code, stdout, stderr } = await run('verify', path);
  t.same([code, stderr], [1, '']);
  t.match(stdout, `${path}: Test, IPv`);
  t.match(stdout, 'built at no date (build epoch 9223372036854775808)');
  t.match(stdout, '/build_epoch: 9223372036854775808: expected 0-253402300799, in seconds since 1970');
  t.match(stdout, /\ninvalid: 1 problems\n$/);
});

t.test('rollback goes back one release, and fails at the oldest', async (t) => {
  const copy = { OUTPUT: copyOutput(t, OUTPUT) };
  const back = await ipatlas(t, copy, 'rollback');
  t.equal(back.code, 0, 'exit code', { stderr: back.stderr });
  t.equal(
    back.stdout,
    `current release: ${first.id} (was ${second.id}), held until "ipatlas unpin" or "ipatlas release <id>"\n`,
  );
  t.equal((await served(copy.OUTPUT)).id, first.id);
  const further = await ipatlas(t, copy, 'rollback');
  t.equal(further.code, 1);
  t.match(further.stderr, /^ipatlas: .+\n$/);
  t.equal((await served(copy.OUTPUT)).id, first.id);
  const forth = await ipatlas(t, copy, '--json', 'rollback', second.id);
  t.same(JSON.parse(forth.stdout), { from: first.id, to: second.id, until: 'released' });
  t.equal((await ipatlas(t, copy, 'rollback', 'nonsense')).code, 1);
  t.equal((await served(copy.OUTPUT)).id, second.id);
});

t.test('after a rollback an unchanged build is kept back until the release is released', async (t) => {
  const settings = { FEEDS, OUTPUT: copyOutput(t, OUTPUT) };
  await ipatlas(t, settings, 'rollback');
  const held = await ipatlas(t, settings, 'build');
  t.equal(held.code, 4, 'exit code', { stderr: held.stderr });
  t.match(held.stdout, new RegExp(`^Nothing new: release ${second.id} `, 'm'));
  t.match(held.stdout, new RegExp(`\\nHELD: a rollback keeps ${first.id} current\\. .* Exit code 4\\n$`));
  t.equal((await served(settings.OUTPUT)).id, first.id);
  const rows = JSON.parse((await ipatlas(t, settings, 'releases', '--json')).stdout) as unknown;
  t.match(rows, [
    { id: second.id, isCurrent: false, isRejected: true },
    { id: first.id, isCurrent: true, pinned: 'released', isRejected: false, refusedFiles: 0 },
  ]);
  const { stdout } = await ipatlas(t, settings, 'releases');
  t.match(stdout, new RegExp(`^ +${second.id}  rolled back +\\d+ \\w+ +[\\d.]+ kB +[\\d,]+$`, 'm'));
  t.match(stdout, new RegExp(`^\\* +${first.id}  pinned `, 'm'));
  t.ok(stdout.split('\n').every((line) => line.length <= 80));
  const released = await ipatlas(t, settings, 'release', second.id);
  t.equal(released.stdout, `current release: ${second.id} (was ${first.id}), not held\n`);
  t.match(await ipatlas(t, settings, 'unpin'), { code: 0, stdout: 'no release is held\n' });
  t.match(await ipatlas(t, settings, 'build'), { code: 0, stdout: /^Nothing new: /m });
});

t.test('a build with --json prints JSON, and its progress as one object per line', async (t) => {
  const { code, stdout, stderr } = await ipatlas(
    t,
    { FEEDS, OUTPUT, SOURCE_DATE_EPOCH: '1795132800' },
    'build',
    '--json',
  );
  t.equal(code, 0, 'exit code', { stderr });
  t.match(JSON.parse(stdout), { id: second.id, published: false, manifest: { id: second.id } });
  const events = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  t.match(events.at(-1), { event: 'done', job: 'publish' });
});

t.test('without a release the commands say so', async (t) => {
  const settings = { OUTPUT: outputFolder(t) };
  t.match(await ipatlas(t, settings, 'releases'), { code: 0, stdout: /no release yet/ });
  t.match(await ipatlas(t, settings, 'inspect', '8.8.8.8'), { code: 1, stderr: /no release yet/ });
  t.match(await ipatlas(t, settings, 'inspect', 'nonsense'), { code: 64, stderr: /^ipatlas: .+\n$/ });
  t.match(await ipatlas(t, settings, 'rollback'), { code: 1, stderr: /^ipatlas: .+\n$/ });
});

t.test('without a command the help is printed, and --version prints the versions', async (t) => {
  t.match(await ipatlas(t, { OUTPUT }), { code: 0, stdout: /^Usage: ipatlas/, stderr: '' });
  t.match(await ipatlas(t, { OUTPUT }, '--version'), {
    code: 0,
    stdout: /^ipatlas \d+\.\d+\.\d+, Node v\d+/,
  });
});

t.test('an output folder that cannot be made is one line with its path', async (t) => {
  const file = join(FEEDS, 'own/overrides.csv');
  for (const [output, text] of [
    ['/proc/ipatlas', '/proc/ipatlas cannot be created there: choose another folder (ENOENT, mkdir)'],
    [file, `${file} exists already and is not a folder (EEXIST, mkdir)`],
    [join(file, 'output'), `a part of ${file}/output is a file, not a folder (ENOTDIR, stat)`],
  ] as const) {
    t.match(await ipatlas(t, { OUTPUT: output }, 'build'), {
      code: 1,
      stdout: '',
      stderr: `ipatlas: ${text}\n`,
    });
  }
});

t.test('inspect says that an address is reserved', async (t) => {
  const { code, stdout } = await ipatlas(t, { OUTPUT }, 'inspect', '10.1.2.3');
  t.equal(code, 0);
  t.match(stdout, 'reserved: Private-Use, 10.0.0.0/8 (IANA special-purpose registry)');
  t.match(JSON.parse((await ipatlas(t, { OUTPUT }, '--json', 'inspect', '10.0.0.0/9')).stdout), {
    reserved: { name: 'Private-Use', prefix: '10.0.0.0/8' },
  });
});

t.test('an invalid command line or environment is exit code 64', async (t) => {
  const cases: readonly (readonly [Record<string, string>, ...string[]])[] = [
    [{}, 'bild'],
    [{}, 'build', '--frce'],
    [{}, 'inspect'],
    [{ RELAYS_ARE_PROXIES: 'maybe' }, 'build'],
    [{ IPATLAS_MIRROR: 'mirror' }, 'fetch'],
    [{}, 'fetch', '--only', 'unknown'],
  ];
  for (const [environment, ...args] of cases) {
    const { code, stdout, stderr } = await ipatlas(t, { OUTPUT, ...environment }, ...args);
    t.equal(code, 64, args.join(' '));
    t.equal(stdout, '');
    t.match(stderr, /\S/);
  }
});

t.test('a missing feeds folder is one line that names it', async (t) => {
  const nowhere = join(FEEDS, 'nowhere');
  const { code, stderr } = await ipatlas(t, { OUTPUT, FEEDS: nowhere }, 'build');
  t.equal(code, 64);
  t.equal(stderr, `ipatlas: invalid FEEDS "${nowhere}": folder not found: ${nowhere}\n`);
});

t.test('help lists every command, the variables and the exit codes', async (t) => {
  const { code, stdout, stderr } = await run('--help');
  t.equal(code, 0);
  t.equal(stderr, '');
  for (const word of [
    'build',
    'fetch',
    'worker',
    'inspect',
    'verify',
    'releases',
    'compare',
    'rollback',
    'unpin',
    'FEEDS',
    '75',
  ]) {
    t.match(stdout, word);
  }
  t.match(await run('build', '--help'), { code: 0, stdout: '--accept <gate...>' });
});

t.test('each module has exactly the commands that it is loaded for', async (t) => {
  const environment = processEnvironment(
    {},
    {
      projectDir: PROJECT,
      processor: new URL(import.meta.url),
      stdin: process.stdin,
      stdout: process.stdout,
      stderr: process.stderr,
    },
  );
  for (const { names, load } of COMMAND_MODULES) {
    const program = new Command();
    (await load())(program, { environment, setExitCode: () => undefined, isJson: () => false });
    t.same(
      program.commands.map((command) => command.name()),
      names,
    );
  }
});

t.test('a process ends with the exit code of its command, and its output is whole', async (t) => {
  const empty = { OUTPUT: outputFolder(t) };
  t.same(await ipatlasProcess(t, { OUTPUT }, '--help'), await run('--help'));
  t.same(await ipatlasProcess(t, empty, 'rollback'), await ipatlas(t, empty, 'rollback'));
  t.same(await ipatlasProcess(t, { OUTPUT }, 'bild'), await run('bild'));
});
