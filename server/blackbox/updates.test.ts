import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gunzipSync } from 'node:zlib';
import { extract } from 'tar';
import t, { type Test } from 'tap';
import { currentRelease } from '../../pipeline/release/release-store.js';
import { getRaw } from '../testing/raw-http.js';
import { runServer } from '../testing/running-server.js';
import { publishSmallRelease } from '../testing/small-release.js';

const server = await runServer(t);
const { manifest, dir } = (await currentRelease(server.outputDir))!;

interface Login {
  readonly id: number;
  readonly key: string;
}

/** Creates an account and returns its number and key. */
async function login(plan: 'pro' | 'enterprise' = 'enterprise'): Promise<Login> {
  const key = await server.key(plan);
  const { body } = await server.get('/api/user/me', { Authorization: `Bearer ${key}` });
  return { id: (body as { data: { id: number } }).data.id, key };
}

const basic = (user: string | number, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});
const headersOf = ({ id, key }: Login) => basic(id, key);

async function ask(path: string, headers: Record<string, string>, method = 'GET') {
  const response = await fetch(server.url + path, { method, headers });
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex');
const EDITIONS = manifest.editions!.map(({ name, type, of, bodyBytes, whole }) => ({
  ...{ type, md5: whole.md5 },
  bytes: Buffer.concat([readFileSync(join(dir, of)).subarray(0, bodyBytes), readFileSync(join(dir, name))]),
}));
const CITY = EDITIONS.find(({ type }) => type === 'GeoLite2-City')!;
const ZEROS = '0'.repeat(32);

const META = '/geoip/updates/metadata?edition_id=';
const update = (type: string, more = '') => `/geoip/databases/${type}/update${more}`;
const archive = (type: string, more = '?date=20261121&suffix=tar.gz') =>
  `/geoip/databases/${type}/download${more}`;

/** Unpacks an archive and returns its files. */
async function unpacked(t: Test, bytes: Buffer): Promise<Map<string, Buffer>> {
  const cwd = join(t.testdir({ x: {} }), 'x');
  mkdirSync(cwd, { recursive: true });
  const paths: string[] = [];
  await pipeline(
    Readable.from([bytes], { objectMode: false }),
    extract({ cwd, strict: true, onReadEntry: ({ path }) => paths.push(path) }),
  );
  return new Map(paths.map((path) => [path, readFileSync(join(cwd, path))]));
}

t.test('decision 77: geoipupdate 7 asks for the md5 and then gets an archive with this file', async (t) => {
  const headers = headersOf(await login());
  for (const { type, bytes } of EDITIONS) {
    const asked = await server.get(META + type, headers);
    t.strictSame(
      [asked.status, asked.body],
      [200, { databases: [{ edition_id: type, md5: md5(bytes), date: '2026-11-21' }] }],
    );
    const own = headersOf(await login());
    const found = await ask(archive(type), own);
    t.equal(found.status, 200);
    t.equal(found.headers.get('content-encoding'), null);
    t.equal(found.headers.get('content-type'), 'application/gzip');
    t.equal(found.headers.get('content-disposition'), `attachment; filename="${type}_20261121.tar.gz"`);
    t.match(found.headers.get('last-modified'), /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/);
    t.match(found.headers.get('link'), /rel="license"/);
    const files = await unpacked(t, found.bytes);
    t.same([...files.keys()], [`${type}_20261121/LICENSE.txt`, `${type}_20261121/${type}.mmdb`]);
    t.ok(files.get(`${type}_20261121/${type}.mmdb`)!.equals(bytes), type);
    t.match(files.get(`${type}_20261121/LICENSE.txt`)!.toString(), /IP data by example\.com/);
    t.equal(gunzipSync(found.bytes).length % 512, 0, 'whole blocks');
  }
});

t.test('several editions are asked for at once, and our own types too', async (t) => {
  const { body } = await server.get(`${META}ipatlas-ASN,GeoIP2-ISP`, headersOf(await login()));
  const ids = (body as { databases: { edition_id: string }[] }).databases.map(({ edition_id }) => edition_id);
  t.same(ids, ['ipatlas-ASN', 'GeoIP2-ISP']);
});

t.test('decision 77: geoipupdate 3.1 to 6 sends the md5 of its file', async (t) => {
  const headers = headersOf(await login());
  for (const more of [`?db_md5=${ZEROS}`, '', `?db_md5=${'a'.repeat(32)}`]) {
    const found = await ask(update('GeoLite2-City', more), { ...headers, 'Accept-Encoding': 'gzip, br' });
    t.equal(found.status, 200, more);
    t.equal(found.headers.get('content-encoding'), null);
    t.equal(found.headers.get('x-database-md5'), CITY.md5);
    t.ok(gunzipSync(found.bytes).equals(CITY.bytes));
  }
  for (const same of [CITY.md5, CITY.md5.toUpperCase()]) {
    const found = await ask(update('GeoLite2-City', `?db_md5=${same}`), headers);
    t.strictSame([found.status, found.bytes.length], [304, 0]);
    t.equal(found.headers.get('x-database-md5'), CITY.md5);
  }
  t.equal((await ask(update('GeoIP2-City', `?db_md5=${CITY.md5}`), headers)).status, 200, 'another edition');
});

t.test('decision 77: errors are HTTP statuses with a line of text', async (t) => {
  const account = await login();
  const headers = headersOf(account);
  const known = 'unknown edition: expected ipatlas-City, GeoLite2-City, ';
  const cases: readonly (readonly [string, Record<string, string>, number, string])[] = [
    [update('GeoLite2-City'), {}, 401, 'account number and API key required\n'],
    [
      META + 'GeoLite2-City',
      { Authorization: `Bearer ${account.key}` },
      401,
      'account number and API key required\n',
    ],
    [`${update('GeoLite2-City')}?token=${account.key}`, {}, 401, 'account number and API key required\n'],
    [archive('GeoLite2-City'), basic(account.id, 'ipa_wrong'), 401, 'invalid account number or API key\n'],
    [
      archive('GeoLite2-City'),
      basic(account.id + 1, account.key),
      401,
      'invalid account number or API key\n',
    ],
    [
      archive('GeoLite2-City'),
      basic(`0${account.id}`, account.key),
      401,
      'invalid account number or API key\n',
    ],
    [archive('GeoLite2-City'), basic('', account.key), 401, 'invalid account number or API key\n'],
    [archive('GeoLite2-City'), headersOf(await login('pro')), 403, 'downloads require the enterprise plan\n'],
    [META + 'GeoLite2-Cities', headers, 404, known],
    [update('geolite2-city'), headers, 404, known],
    [archive('GeoIP2-Enterprise'), headers, 404, known],
    [
      archive('GeoLite2-City', '?date=20261120&suffix=tar.gz'),
      headers,
      404,
      'no GeoLite2-City of 20261120: ',
    ],
    [
      archive('GeoLite2-City', '?date=2026-11-21&suffix=tar.gz'),
      headers,
      400,
      'invalid date: expected YYYYMMDD\n',
    ],
    [archive('GeoLite2-City', '?suffix=zip'), headers, 400, 'invalid suffix: expected tar.gz\n'],
    [
      update('GeoLite2-City', '?db_md5=xyz'),
      headers,
      400,
      'invalid db_md5: expected 32 hexadecimal digits\n',
    ],
    [update('GeoLite2-City', `?db_md5=${CITY.md5}0`), headers, 400, 'invalid db_md5: '],
    ['/geoip/updates/metadata', headers, 400, 'invalid edition_id: '],
    [META + Array.from({ length: 21 }, () => 'x').join(), headers, 400, 'invalid edition_id: '],
  ];
  for (const [path, sent, status, text] of cases) {
    const answer = await server.get(path, sent);
    t.equal(answer.status, status, path);
    t.ok(answer.text.startsWith(text), `${path}: ${answer.text}`);
    t.match(answer.headers.get('content-type'), /^text\/plain/);
    t.equal(answer.headers.get('www-authenticate') !== null, status === 401);
  }
  const none = await ask(update('GeoLite2-City', `?db_md5=${ZEROS}`), headers);
  t.equal(none.headers.get('x-dataset-hourly-used'), '1', 'none of these was a download');
});

t.test('hostile logins and paths get exact answers', async (t) => {
  const account = await login();
  const raw = async (path: string, authorization: string) =>
    (await getRaw(server.url, path, `Authorization: ${authorization}\r\n`)).status;
  const logins = [
    'Basic',
    'Basic ',
    'Basic !!!!',
    'Basic OjpvOg==',
    `Basic ${'A'.repeat(8000)}`,
    'Basic AA==',
    'Digest x',
  ];
  for (const one of logins) t.equal(await raw(META + 'GeoLite2-City', one), 401, one.slice(0, 20));
  const right = headersOf(account).Authorization;
  t.equal(await raw(META + 'GeoLite2-City', right.replace('Basic', 'bAsIc')), 200);
  const types = [
    '..%2fmanifest.json',
    '%2e%2e',
    '__proto__',
    'constructor',
    'GeoLite2-City%00',
    '%ff',
    '%zz',
    'GeoLite2-City.mmdb',
  ];
  for (const type of types) {
    t.equal(await raw(update(type), right), 404, `update ${type}`);
    t.equal(await raw(archive(type), right), 404, `download ${type}`);
  }
  for (const path of [
    '/geoip/databases/../databases/x',
    '/geoip/databases//update',
    '/geoip/updates/metadata/x',
  ])
    t.equal(await raw(path, right), 404, path);
});

t.test('HEAD, 304, metadata and refusals are no downloads; all ways share one meter', async (t) => {
  const account = await login();
  const headers = headersOf(account);
  const bearer = { Authorization: `Bearer ${account.key}` };
  const head = await ask(archive('GeoLite2-City'), headers, 'HEAD');
  t.strictSame([head.status, head.bytes.length], [200, 0]);
  t.equal((await ask(update('GeoLite2-City'), headers, 'HEAD')).status, 200);
  const since = { ...headers, 'If-Modified-Since': head.headers.get('last-modified')! };
  t.equal((await ask(archive('GeoLite2-City'), since)).status, 304);
  await server.get(META + 'GeoLite2-City', headers);
  const used = async (path: string, sent: Record<string, string>) =>
    Number((await ask(path, sent)).headers.get('x-dataset-hourly-used'));
  t.equal(await used(update('GeoLite2-City'), headers), 1);
  t.equal(await used(archive('GeoIP2-Country'), headers), 2);
  t.equal(await used('/api/datasets/mmdb', bearer), 3);
  t.equal(await used('/api/datasets/mmdb?edition=GeoIP2-City', bearer), 4);
  t.match((await server.get('/api/user/usage', bearer)).body, { data: { today: 4 } });
  const race = await Promise.all([
    ...[1, 2, 3].map(() => ask(archive('GeoLite2-City'), headers)),
    ...[1, 2, 3].map(() => ask(update('GeoLite2-City'), headers)),
    ...[1, 2, 3].map(() => ask('/api/datasets/mmdb', bearer)),
  ]);
  t.same(race.map(({ status }) => status).sort(), [200, ...Array.from({ length: 8 }, () => 429)]);
  const refused = await ask(update('GeoLite2-City'), headers);
  t.equal(refused.bytes.toString(), 'download limit of 5 exceeded\n');
  t.match(refused.headers.get('retry-after'), /^\d{1,4}$/);
  t.equal((await ask(update('GeoLite2-City', `?db_md5=${CITY.md5}`), headers)).status, 304, 'still free');
  t.equal(await used(update('GeoLite2-ASN'), headers), 1, 'another dataset has its own');
});

t.test('a large archive is the same file, and a reader that stops ends its compression', async (t) => {
  const large = await runServer(t, { withRelease: false });
  await publishSmallRelease(large.outputDir, { datasets: ['geo'], downloadBallast: 40_000 });
  large.running.look();
  while ((await fetch(`${large.url}/readyz`)).status !== 200)
    await new Promise((done) => setTimeout(done, 20));
  const key = await large.key('enterprise');
  const headers = basic(1, key);
  const release = (await currentRelease(large.outputDir))!;
  const { whole } = release.manifest.editions!.find(({ type }) => type === 'GeoLite2-City')!;
  const stopped = await fetch(large.url + archive('GeoLite2-City'), { headers });
  await stopped.body!.cancel();
  const response = await fetch(large.url + update('GeoLite2-City'), { headers });
  t.equal(response.headers.get('x-dataset-hourly-used'), '2');
  const bytes = gunzipSync(Buffer.from(await response.arrayBuffer()));
  t.strictSame([bytes.length, md5(bytes)], [whole.sizeBytes, whole.md5]);
  const packed = await fetch(large.url + archive('GeoLite2-City'), { headers });
  const files = await unpacked(t, Buffer.from(await packed.arrayBuffer()));
  t.equal(md5(files.get('GeoLite2-City_20261121/GeoLite2-City.mmdb')!), whole.md5);
});
