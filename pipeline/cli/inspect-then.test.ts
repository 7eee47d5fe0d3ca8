import { appendFileSync, cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { currentRelease, releaseDir } from '../release/release-store.js';
import { ipatlas, PROJECT } from './testing/command-line.js';

/** Four nights from a copy of the bundled feeds. The own feed changes what it states of 9.9.9.9 in the third. */
const dir = t.testdir();
const [OUTPUT, FEEDS] = [join(dir, 'output'), join(dir, 'feeds')];
cpSync(join(PROJECT, 'fixtures/feeds'), FEEDS, { recursive: true, preserveTimestamps: true });

async function publish(date: string, row: string): Promise<string> {
  appendFileSync(join(FEEDS, 'own/overrides.csv'), `${row}\n`);
  const SOURCE_DATE_EPOCH = String(Date.parse(date) / 1000);
  const { code, stderr } = await ipatlas(t, { FEEDS, OUTPUT, SOURCE_DATE_EPOCH }, 'build');
  if (code !== 0) throw new Error(`exit code ${code}:\n${stderr}`);
  return (await currentRelease(OUTPUT))!.id;
}

const first = await publish('2026-11-18', '9.9.0.0/24,DE,,,,,A,,');
const second = await publish('2026-11-19', '9.9.1.0/24,DE,,,,,B,,');
const third = await publish('2026-11-20', '9.9.9.0/24,FR,,,,,Quad9,,');
const fourth = await publish('2026-11-21', '9.9.2.0/24,DE,,,,,C,,');
const inspect = (...args: readonly string[]) => ipatlas(t, { OUTPUT }, 'inspect', ...args);

interface Printed {
  readonly release: string;
  readonly since: {
    readonly current: { readonly release: string };
    readonly feeds: readonly Readonly<Record<string, unknown>>[];
  };
}
const printedOf = async (...args: readonly string[]): Promise<Printed> =>
  JSON.parse((await inspect(...args, '--json')).stdout) as Printed;

t.test('--at shows the release of then, and what has changed since', async (t) => {
  const { code, stdout, stderr } = await inspect('9.9.9.9', '--at', '2026-11-18');
  t.equal(code, 0, stderr);
  t.match(stdout, new RegExp(`^9\\.9\\.9\\.9 in release ${first}\n`));
  const since = stdout.slice(stdout.indexOf('since then'));
  t.match(since, new RegExp(`^since then, up to release ${fourth}\n +then +now +changed in\n`));
  t.match(since, /^country +\S.* +FR France/m);
  t.match(since, /^own +CH, \(registration\).* +FR, Quad9.* +2026-11-20 00:00$/m);
  t.notMatch(since, /^geolite2 /m, 'feeds without a change are not listed');
  const past = await inspect('9.9.9.9', '--release', first);
  t.equal(stdout, `${past.stdout}\n${since}`, 'the record is that of the release');
});

t.test('the release is named in which a feed has changed its verdict', async (t) => {
  for (const [at, release] of [
    ['2026-11-18', first],
    ['2026-11-19T23:00:00+02:00', second],
  ] as const) {
    const printed = await printedOf('9.9.9.9', '--at', at);
    t.match(printed, { release, since: { current: { release: fourth } } }, at);
    t.match(printed.since.feeds, [
      { feed: 'own', before: { country: 'CH' }, after: { country: 'FR', isp: 'Quad9' }, changedIn: third },
    ]);
    t.equal(printed.since.feeds.length, 1);
  }
});

t.test('without changes, and in the current release, the output says so', async (t) => {
  t.match((await inspect('9.9.9.9', '--at', '2026-11-20')).stdout, /\nsince then, .*\nno change\n$/);
  t.match((await inspect('9.9.9.9', '--at', '2026-11-21')).stdout, /\n\nthis is the current release\n$/);
  t.match((await printedOf('9.9.9.9', '--at', '2026-11-20')).since.feeds, []);
});

t.test('a prefix and an AS number are those of the release of then', async (t) => {
  t.match((await inspect('9.9.9.0/24', '--at', '2026-11-19')).stdout, ` in release ${second}\n`);
  t.match((await inspect('AS13335', '--at', '2026-11-19')).stdout, ` in release ${second}\n`);
});

t.test('a time without a kept release, of the future or of another form is an error', async (t) => {
  const { code, stderr } = await inspect('9.9.9.9', '--at', '2026-11-17');
  t.equal(code, 1);
  t.match(stderr, /releases: no release is kept from before 2026-11-18T00:00:00Z\n$/);
  for (const [at, found] of [
    ['yesterday', 'expected YYYY-MM-DD or an RFC 3339 time'],
    ['9999-01-01', 'the time is in the future'],
    ['../../etc', 'expected YYYY-MM-DD'],
  ] as const) {
    const wrong = await inspect('9.9.9.9', '--at', at);
    t.equal(wrong.code, 64);
    t.match(wrong.stderr, `invalid --at "${at}": ${found}`);
  }
  const both = await inspect('9.9.9.9', '--at', '2026-11-19', '--release', first);
  t.equal(both.code, 64);
  t.match(both.stderr, /'--at <time>' cannot be used with option '--release <id>'/);
});

t.test('a damaged release between is left out, and a damaged one of then is an error', async (t) => {
  rmSync(join(releaseDir(OUTPUT, third), 'manifest.json'));
  t.match((await printedOf('9.9.9.9', '--at', '2026-11-18')).since.feeds, [
    { feed: 'own', changedIn: fourth },
  ]);
  writeFileSync(join(releaseDir(OUTPUT, first), 'geo.mmdb'), 'damaged');
  const { code, stderr } = await inspect('9.9.9.9', '--at', '2026-11-18');
  t.equal(code, 1);
  t.match(stderr, /geo\.mmdb: is damaged: /);
});
