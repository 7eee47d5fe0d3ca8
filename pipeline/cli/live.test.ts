import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener } from 'node:http';
import { dirname, join } from 'node:path';
import t from 'tap';
import { geolite2Contents, SNAPSHOT } from '../../fixtures/generate/geolite2.js';
import { gzFile } from '../../fixtures/generate/gz-file.js';
import { ribDumps } from '../../fixtures/generate/routing-fixtures.js';
import { routingSource } from '../../fixtures/generate/routing-source.js';
import { zipFile } from '../../fixtures/generate/zip-file.js';
import type { PublishedFile } from '../input/published-source.js';
import { matchesName } from '../input/name-pattern.js';
import { foundGeofeedName } from '../input/registrations/geofeed-url.js';
import { ribDownloads } from '../input/routing-downloads.js';
import { timesFor, publicUrl, secretUrl, variablesOf } from '../fetch/download-address.js';
import { planDownloads } from '../fetch/download-plan.js';
import { REGISTRY_DUMPS } from '../fetch/registry-dumps.js';
import { serveFile, startPublisher } from '../fetch/testing/publisher.js';
import { GAZETTEER_ID } from '../gazetteer/source.js';
import { listById } from '../lists/catalogue.js';
import { filesOfSource, SOURCES } from '../snapshot/sources.js';
import {
  copyFeeds,
  inputFile,
  ipatlas,
  ipatlasProcess,
  openGeo,
  outputFolder,
  PROJECT,
  served,
  start,
} from './testing/command-line.js';

const EPOCH = '1795046400';
const ACCOUNT = '987654';
const KEY = 'a-secret-licence-key-of-a-test';
const FIXTURES = copyFeeds(t);
const GEOFEED = 'https://geofeeds.example.net/feed.csv?format={rfc8805}';

/** Every download of a build, and a value for each of their variables. */
const COLLECTOR = 'rrc00';
const DUMPS = SOURCES.includes('rib') ? ribDownloads([COLLECTOR]) : [];
/** All sources, except lists with a downloaded file that the fixtures lack. */
const TRIED = SOURCES.filter((source) => !listById(source) || filesOfSource(source).every(isServed));
const PLAN = planDownloads([...TRIED.flatMap(filesOfSource), ...DUMPS]);
/** The listed geofeed, the dumps of registries, and a line for the geofeeds that they name. */
const OTHERS = 1 + REGISTRY_DUMPS.length + 1;
const VARIABLES = {
  ...Object.fromEntries(
    PLAN.flatMap(({ download }) => variablesOf(download)).map((name) => [name, `${name}-value`]),
  ),
  MAXMIND_ACCOUNT_ID: ACCOUNT,
  MAXMIND_LICENSE_KEY: KEY,
};

/** The publishers' current files by host and path; a function for any other answer. */
const published = new Map<string, Buffer | RequestListener>();
const GOOD_NIGHT = await publications();
serveGoodNight();
const mirror = await startPublisher(t, (request, response) => {
  const found = published.get(request.url!);
  if (found === undefined) response.writeHead(404).end();
  else if (typeof found === 'function') found(request, response);
  else serveFile(found, `"${found.length}"`)(request, response);
});
const OUTPUT = outputFolder(t);
const DOWNLOADS = join(OUTPUT, 'downloads');
const settings = {
  BUILD_FEEDS: TRIED.filter((source) => source !== GAZETTEER_ID).join(','),
  FEEDS: 'live',
  OUTPUT,
  IPATLAS_MIRROR: mirror.url,
  RIB_COLLECTORS: COLLECTOR,
  SOURCE_DATE_EPOCH: EPOCH,
  ...VARIABLES,
};
/** Accepts small files, because the fixtures are smaller than their publishers' files. */
const run = (...args: readonly string[]) => ipatlas(t, settings, ...args, '--accept-small');
const fetchAll = () => run('fetch', ...TRIED.map((source) => `--only=${source}`));
put('own/overrides.csv', readFileSync(join(FIXTURES, 'own/overrides.csv')));
put('own/geofeeds.urls', `# operators\n${GEOFEED}  # one of them\n`);

t.test('a live build downloads from every publisher and publishes', async (t) => {
  const { code, stdout, stderr } = await ipatlasProcess(t, settings, 'build', '--accept-small');
  t.equal(code, 0, 'exit code', { stdout, stderr });
  const { id, manifest } = await served(OUTPUT);
  t.match(stdout, `Published ${id} in `);
  t.equal(manifest.source, 'live');
  const zip = inputFile(manifest, 'geolite2', `geolite2/${SNAPSHOT}.zip`);
  t.notOk(zip.lastGood);
  for (const file of [
    'rir/delegated-arin-extended-latest',
    'own/country/ad/ad-ipv4.txt',
    'iana/iana-ipv4-special-registry.xml',
  ]) {
    t.ok(inputFile(manifest, 'own', file), file);
  }
  const get = openGeo(OUTPUT);
  t.match(get('1.0.1.1'), { city: { names: { en: 'Guangzhou' } } }, 'GeoLite2');
  t.match(get('8.8.8.8'), { country: { iso_code: 'US' } }, 'an override next to the downloads');
  t.match(
    get('138.124.187.9'),
    { country: { iso_code: 'US' }, subdivisions: [{ iso_code: 'NJ' }] },
    'a listed geofeed',
  );
  t.match(get('185.98.5.1'), { city: { names: { en: 'Paris' } } }, 'a geofeed that a registration names');
  t.match(
    stdout,
    /own: rows of 2 geofeeds in blocks whose registration names them: inside \d+, partly \d+, outside \d+/,
  );
  for (const file of ['GeoLite2-City-CSV/download?suffix=zip', '/ipinfo_lite.csv.gz?']) {
    const asked = mirror.asked.filter(({ url }) => url!.includes(file) && !url!.endsWith('.sha256'));
    t.equal(asked.length, 1, `a file of two sources is downloaded once: ${file}`);
  }
});

t.test('credentials are used and written nowhere', (t) => {
  const basic = `Basic ${Buffer.from(`${ACCOUNT}:${KEY}`).toString('base64')}`;
  const asked = (part: string) => mirror.asked.filter(({ url }) => url!.includes(part));
  for (const { headers } of asked('download.maxmind.com')) t.equal(headers.authorization, basic);
  t.equal(asked('storage.example.net').length, 2);
  for (const { headers } of asked('storage.example.net')) t.equal(headers.authorization, undefined);
  for (const name of readdirSync(OUTPUT, { recursive: true, encoding: 'utf8' })) {
    const path = join(OUTPUT, name);
    if (!statSync(path).isFile()) continue;
    const text = readFileSync(path, 'latin1');
    t.notOk(text.includes(KEY) || text.includes(basic) || text.includes('signature='), name);
  }
  t.end();
});

t.test('a second build without changes downloads and publishes nothing', async (t) => {
  const before = mirror.asked.length;
  const { code, stdout } = await run('build');
  t.equal(code, 0);
  t.match(stdout, /^Nothing new: /m);
  const again = mirror.asked.slice(before);
  t.ok(
    again.every(isConditional),
    again
      .filter((one) => !isConditional(one))
      .map(({ url }) => url)
      .join(),
  );
});

t.test('fetch works without a build: exit code 0 when nothing failed', async (t) => {
  const { code, stdout, stderr } = await fetchAll();
  t.equal(code, 0, 'exit code', { stderr });
  t.match(stdout, `0 downloaded, ${PLAN.length + OTHERS} unchanged, 0 skipped, 0 failed`);
  t.match(stderr, /Z rir\/delegated-lacnic-extended-latest: done: unchanged/m);
  const json = await run('--json', 'fetch', '--only=geolite2');
  t.match(JSON.parse(json.stdout), {
    dir: DOWNLOADS,
    results: [
      { file: `geolite2/${SNAPSHOT}.zip`, outcome: 'unchanged', copy: { fetched: String } },
      { outcome: 'unchanged' },
      { outcome: 'unchanged' },
    ],
  });
});

t.test('when a publisher fails its last good copy is used, and the release says so', async (t) => {
  const arin = '/ftp.arin.net/pub/stats/arin/delegated-arin-extended-latest';
  published.set(arin, Buffer.from('<html>Service Unavailable</html>'));
  published.set(
    '/www.iana.org/assignments/iana-ipv6-special-registry/iana-ipv6-special-registry.xml',
    (_request, response) => {
      response.writeHead(429, { 'Retry-After': '3600' }).end();
    },
  );
  const fetched = await fetchAll();
  t.equal(fetched.code, 3);
  t.match(fetched.stdout, `0 downloaded, ${PLAN.length + OTHERS - 2} unchanged, 0 skipped, 2 failed`);
  const copy =
    /rir\/delegated-arin-extended-latest failed: .*HTML page.*; keeping the copy of 20\d\d-\d\d-\d\dT/;
  // Long results take several lines of the table.
  t.match(fetched.stdout.replace(/\s+/g, ' '), copy);
  const { code, stdout } = await run('build');
  t.equal(code, 3);
  t.match(
    stdout,
    /^REFUSED rir\/delegated-arin-extended-latest: download: .*HTML page.*\. Used instead: last good copy$/m,
  );
  t.match(stdout, /^REFUSED iana\/iana-ipv6-special-registry\.xml: download: next request after 20/m);
  const { manifest } = await served(OUTPUT);
  t.ok(inputFile(manifest, 'own', 'rir/delegated-arin-extended-latest').lastGood);
  t.notOk(inputFile(manifest, 'own', 'rir/delegated-apnic-extended-latest').lastGood);
  t.match(openGeo(OUTPUT)('138.124.187.9'), { country: { iso_code: 'US' } });
});

t.test('without a key the build skips the feed with code 0, and names the variable', async (t) => {
  const output = outputFolder(t);
  const bare = { ...settings, BUILD_FEEDS: 'own,geolite2', OUTPUT: output, MAXMIND_LICENSE_KEY: '' };
  serveGoodNight();
  mkdirSync(join(output, 'downloads/own'), { recursive: true });
  cpSync(join(FIXTURES, 'own/overrides.csv'), join(output, 'downloads/own/overrides.csv'));
  const { code, stdout, stderr } = await ipatlas(t, bare, 'build', '--accept-small');
  t.equal(code, 0, 'exit code', { stdout, stderr });
  t.match(
    stdout,
    /^SKIPPED geolite2\/GeoLite2-City-CSV_\*\.zip: MAXMIND_LICENSE_KEY is not set\. Used instead: nothing$/m,
  );
  const { manifest } = await served(output);
  const refusals = manifest.inputs.find(({ feed }) => feed === 'geolite2')?.refusals;
  t.match(refusals, [
    { refusal: 'skipped', found: 'MAXMIND_LICENSE_KEY is not set', usedInstead: 'nothing' },
  ]);
  const again = await ipatlas(t, bare, 'build', '--accept-small');
  t.match(again.stdout, /^Nothing new: /m, 'an unchanged file is not news', again);
  const fetched = await ipatlas(t, bare, 'fetch', '--only=geolite2', '--accept-small');
  t.equal(fetched.code, 0);
  t.match(fetched.stdout.replace(/\s+/g, ' '), /skipped: MAXMIND_LICENSE_KEY is not set/);
});

t.test('a geofeed that is no longer listed is removed, one added by hand stays', async (t) => {
  put('own/geofeeds/by-hand.csv', '192.0.2.0/24,US,,,\n');
  put('own/geofeeds.urls', 'ftp://example.org/feed.csv\n');
  const { code, stdout } = await run('fetch', '--only=own');
  t.equal(code, 3);
  t.match(stdout, /^own\/geofeeds\.urls +failed: line 1: not an https URL$/m);
  t.same(readdirSync(join(DOWNLOADS, 'own/geofeeds')), ['by-hand.csv']);
});

t.test('a signal ends a download, and the next run continues', async (t) => {
  const held = new Map(published);
  for (const path of published.keys()) published.set(path, () => undefined);
  const waiting = start(t, { ...settings, OUTPUT: outputFolder(t) }, 'fetch');
  await waiting.saw(': started');
  waiting.child.kill('SIGINT');
  t.match(await waiting.ended, { code: 130, stderr: /^ipatlas: stopped by SIGINT$/m });
  for (const [path, answer] of held) published.set(path, answer);
});

t.test('when every download fails and no copy is kept, the exit code is 1', async (t) => {
  published.clear();
  const { code, stdout } = await ipatlas(t, { ...settings, OUTPUT: outputFolder(t) }, 'fetch');
  t.equal(code, 1);
  t.match(stdout, /^0 downloaded, 0 unchanged, 0 skipped, \d+ failed$/m);
});

function serveGoodNight(): void {
  for (const [path, answer] of GOOD_NIGHT) published.set(path, answer);
}

/** Whether a request is conditional, or for a checksum of one line or a page with a link. */
function isConditional({ url, headers }: IncomingMessage): boolean {
  return headers['if-none-match'] !== undefined || url!.includes('sha256') || url!.includes('details.aspx');
}

/** Puts an operator's own file into the downloads folder. */
function put(name: string, bytes: Buffer | string): void {
  mkdirSync(dirname(join(DOWNLOADS, name)), { recursive: true });
  writeFileSync(join(DOWNLOADS, name), bytes);
}

/** The fixtures of every feed, as served by their publishers. */
async function publications(): Promise<[string, Buffer | RequestListener][]> {
  const served = [
    geofeed(),
    ...registrations(),
    ...azureTags(),
    ...geonames(),
    ...(await geolite2()),
    ...(await dumps()),
  ];
  const special = new Set(served.map(([path]) => path));
  for (const { download, files } of PLAN) {
    const [time] = timesFor(download, new Date());
    const path = mirrorPath(secretUrl(publicUrl(download.url, time!), new Map(Object.entries(VARIABLES))));
    if (special.has(path)) continue;
    const found = files.flatMap(fixturesOf);
    const bytes = download.archive === undefined ? readFixture(found.at(-1)) : pack(found);
    if (bytes) served.push([path, bytes]);
  }
  return served;
}

/** Whether a file has no download, or a fixture at its own address. */
function isServed(file: PublishedFile): boolean {
  return file.download === undefined || (file.download.link === undefined && fixturesOf(file).length > 0);
}

/** Names of the fixtures that a feed's file matches. */
function fixturesOf({ folder, name }: PublishedFile): string[] {
  if (!existsSync(join(FIXTURES, folder))) return [];
  const names = readdirSync(join(FIXTURES, folder), { recursive: true, encoding: 'utf8' });
  return names.filter((one) => matchesName(name, one)).map((one) => `${folder}/${one}`);
}

function readFixture(name: string | undefined): Buffer | undefined {
  return name === undefined ? undefined : readFileSync(join(FIXTURES, name));
}

function pack(names: readonly string[]): Buffer {
  return zipFile(names.map((name) => ({ name: `main/${name}`, bytes: readFixture(name)! })));
}

function mirrorPath({ host, pathname, search }: URL): string {
  return `/${host}${pathname}${search}`;
}

/** The dumps of registries, equal ones, and the geofeeds that they name. */
function registrations(): [string, Buffer][] {
  const dump = readFixture('whois-geofeed/ripe.db.inetnum.gz')!;
  const found = ['https://geofeeds.example.net/acme.csv', 'https://customer.example.org/geo.csv?format=csv'];
  return [
    ...REGISTRY_DUMPS.map(({ download }): [string, Buffer] => [mirrorPath(new URL(download!.url)), dump]),
    ...found.map((url): [string, Buffer] => {
      const parsed = new URL(url);
      return [mirrorPath(parsed), readFixture(`own/${foundGeofeedName(parsed)}`)!];
    }),
  ];
}

function geofeed(): [string, Buffer] {
  return [
    mirrorPath(new URL(GEOFEED.replace(/[{}]/g, encodeURIComponent))),
    readFixture('own/geofeeds/365hosting.csv')!,
  ];
}

/** A page with the link to the service tags of the week. */
function azureTags(): [string, Buffer][] {
  const name = 'ServiceTags_Public_20261116.json';
  const link = `/download.microsoft.com/download/7/1/${name}`;
  return [
    ['/www.microsoft.com/en-us/download/details.aspx?id=56519', Buffer.from(`<a href="https:/${link}">`)],
    [link, readFixture(`cloud/${name}`)!],
  ];
}

/** The fixtures are the contents of the zips. */
function geonames(): [string, Buffer][] {
  const texts = { cities500: 'cities15000.txt', alternateNamesV2: 'alternateNamesV2.txt' };
  return Object.entries(texts).map(([name, text]) => {
    const bytes = readFixture(`gazetteer/${text}`)!;
    return [`/download.geonames.org/export/dump/${name}.zip`, zipFile([{ name: `${name}.txt`, bytes }])];
  });
}

/** A new dump: an old one would be refused. */
async function dumps(): Promise<[string, Buffer][]> {
  const source = await routingSource(PROJECT);
  return DUMPS.map(({ download }) => {
    const [time] = timesFor(download!, new Date());
    const [dump] = ribDumps(source, time!.getTime() / 1000);
    return [mirrorPath(new URL(publicUrl(download!.url, time!))), gzFile(dump!)];
  });
}

/** The files of MaxMind. */
async function geolite2(): Promise<[string, Buffer | RequestListener][]> {
  const asn = 'GeoLite2-ASN-CSV_20261117';
  return [
    ...maxMindFile('GeoLite2-City-CSV', SNAPSHOT, zipFile(await geolite2Contents(PROJECT))),
    ...maxMindFile('GeoLite2-ASN-CSV', asn, readFileSync(join(FIXTURES, `geolite2-asn/${asn}.zip`))),
  ];
}

/** MaxMind redirects to a storage on another host and publishes a sha256. */
function maxMindFile(edition: string, snapshot: string, zip: Buffer): [string, Buffer | RequestListener][] {
  const path = `/download.maxmind.com/geoip/databases/${edition}/download`;
  const stored = `/storage.example.net/${snapshot}.zip?signature=hush`;
  const sha256 = createHash('sha256').update(zip).digest('hex');
  return [
    [
      `${path}?suffix=zip`,
      (_request, response) => response.writeHead(302, { Location: `https:/${stored}` }).end(),
    ],
    [`${path}?suffix=zip.sha256`, Buffer.from(`${sha256}  ${snapshot}.zip\n`)],
    [stored, zip],
  ];
}
