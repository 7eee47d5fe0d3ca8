import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import t from 'tap';
import { currentId, releaseDir } from '../../pipeline/release/release-store.js';
import { getRaw, openSocket } from '../testing/raw-http.js';
import { runServer, type TestServer } from '../testing/running-server.js';
import { publishSmallRelease, SMALL_BUILD_EPOCH } from '../testing/small-release.js';

/** Each call to the public bucket comes from a new address. */
const server = await runServer(t, { trustedProxies: ['127.0.0.1/32'] });
let callers = 0;
const caller = (): Record<string, string> => ({
  'X-Forwarded-For': `9.9.${++callers >> 8}.${callers & 255}`,
});
const newKey = async (plan: 'pro' | 'enterprise' = 'enterprise', of: TestServer = server) => ({
  Authorization: `Bearer ${await of.key(plan)}`,
});
const info = async (dataset: string) =>
  (await server.get(`/api/datasets/${dataset}/info`, caller())).body as { code: number; data: Metadata };
interface Metadata {
  readonly filename: string;
  readonly size: number;
  readonly mtime: number;
  readonly sha256: string;
}

const EDITIONS = {
  mmdb: ['ipatlas-City', 'GeoLite2-City', 'GeoIP2-City', 'GeoLite2-Country', 'GeoIP2-Country'],
  asn: ['ipatlas-ASN', 'GeoLite2-ASN'],
  isp: ['ipatlas-ISP', 'GeoIP2-ISP', 'GeoIP2-Anonymous-IP'],
} as const;
const OWN_LICENCE = {
  ...{ source: 'own', publisher: 'own publisher', name: 'CC0' },
  url: 'https://creativecommons.org/publicdomain/zero/1.0/',
};
/** The coverage of an answer: its figures are those of another test. */
const coverageOf = (answer: unknown) => (answer as { data: { coverage: object } }).data.coverage;

const STEMS = { mmdb: 'geo', asn: 'asn', isp: 'isp' } as const;
const released = releaseDir(server.outputDir, (await currentId(server.outputDir))!);
const FILES = Object.fromEntries(
  Object.entries(STEMS).map(([name, stem]) => [
    name,
    readFileSync(join(released, 'download', `${stem}.mmdb`)),
  ]),
) as Record<keyof typeof STEMS, Buffer>;
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Returns the bytes of an answer. */
async function download(path: string, headers: Record<string, string>, method = 'GET') {
  const response = await fetch(server.url + path, { method, headers });
  return { response, status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** Waits until a release is served. */
async function untilServed(of: TestServer, id: string): Promise<void> {
  of.running.look();
  while (((await of.get('/readyz')).body as { release: string | null }).release !== id) await setTimeout(20);
}

/** Returns the downloads of a dataset by an account, from the headers of another download, which counts itself. */
async function usedSoFar(headers: Record<string, string>, dataset = 'mmdb'): Promise<number> {
  const { response } = await download(`/api/datasets/${dataset}`, headers);
  return Number(response.headers.get('x-dataset-hourly-used')) - 1;
}

t.test('the metadata of each dataset, all fields', async (t) => {
  for (const [name, stem] of Object.entries(STEMS)) {
    const bytes = FILES[name as keyof typeof STEMS];
    const answer = await info(name);
    const { mtime } = answer.data;
    t.strictSame(answer, {
      code: 0,
      data: {
        ...{ filename: `ipatlas-${stem}-20261121.mmdb`, format: 'mmdb', size: bytes.length, mtime },
        mtime_iso: new Date(mtime * 1000).toISOString().replace('.000', ''),
        sha256: sha256(bytes),
        build_epoch: SMALL_BUILD_EPOCH,
        build_iso: '2026-11-21T00:00:00Z',
        node_count: (answer.data as unknown as { node_count: number }).node_count,
        ip_version: 6,
        languages: name === 'asn' ? ['en'] : ['en', 'zh-CN'],
        ...{
          edition: EDITIONS[name as keyof typeof STEMS][0],
          editions: EDITIONS[name as keyof typeof STEMS],
        },
        md5: createHash('md5').update(bytes).digest('hex'),
        licence: { terms: 'free', sources: [OWN_LICENCE] },
        attribution: ['IP data by example.com'],
        ...{ coverage: coverageOf(answer), api: { sources: ['dbip'], coverage: coverageOf(answer) } },
      },
    });
  }
});

t.test('the coverage of places is counted by level, each with what is finer', async (t) => {
  const { data } = (await info('mmdb')) as unknown as { data: { coverage: object } };
  const space = (networks: number) => ({ networks, ipv4_addresses: networks * 256, ipv6_slash64s: 0 });
  t.strictSame(data.coverage, {
    ...space((data.coverage as { networks: number }).networks),
    ...{ with_country: space(6), with_region: space(5), with_city: space(3) },
  });
  const { data: asn } = (await info('asn')) as unknown as { data: { coverage: object } };
  t.strictSame(Object.keys(asn.coverage), ['networks', 'ipv4_addresses', 'ipv6_slash64s']);
});

t.test('the licences of the sources are links of info and download', async (t) => {
  const link = '<https://creativecommons.org/publicdomain/zero/1.0/>; rel="license"';
  const answers = [
    await server.get('/api/datasets/mmdb/info', caller()),
    await server.ask('/api/datasets/mmdb', { method: 'HEAD', headers: await newKey() }),
  ];
  for (const { headers } of answers) t.equal(headers.get('link'), link);
});

t.test('a download has the bytes, digest and name of the file, and both meters count it', async (t) => {
  const key = await newKey();
  for (const [name, stem] of Object.entries(STEMS)) {
    const { response, status, bytes } = await download(`/api/datasets/${name}`, key);
    t.equal(status, 200);
    t.ok(bytes.equals(FILES[name as keyof typeof STEMS]), name);
    const { sha256: digest, mtime } = (await info(name)).data;
    const expected: Record<string, string | null> = {
      ...{ 'content-type': 'application/octet-stream', 'content-length': String(bytes.length) },
      'content-disposition': `attachment; filename="ipatlas-${stem}-20261121.mmdb"`,
      ...{ etag: `"${digest}"`, 'last-modified': new Date(mtime * 1000).toUTCString() },
      ...{ 'accept-ranges': 'bytes', 'content-encoding': null, 'content-range': null },
      ...{ 'x-dataset-hourly-limit': '5', 'x-dataset-hourly-used': '1' },
      ...{ 'x-dataset-daily-limit': '30', 'x-dataset-daily-used': '1' },
      ...{ 'x-content-type-options': 'nosniff', 'x-ratelimit-limit': '3000' },
      'access-control-allow-origin': '*',
    };
    for (const [header, value] of Object.entries(expected))
      t.equal(response.headers.get(header), value, header);
  }
  t.match((await server.get('/api/user/usage', key)).body, { data: { today: 3 } }, 'decision 9: one each');
});

t.test('decision 40: downloads are never compressed', async (t) => {
  const { response, bytes } = await download('/api/datasets/mmdb', {
    ...(await newKey()),
    'Accept-Encoding': 'br, gzip, zstd',
  });
  t.equal(response.headers.get('content-encoding'), null);
  t.ok(bytes.equals(FILES.mmdb));
});

t.test('decisions 39 and 40: HEAD, 304 and 416 describe the file and are not counted', async (t) => {
  const key = await newKey();
  const path = '/api/datasets/mmdb';
  const head = await download(path, key, 'HEAD');
  t.equal(head.status, 200);
  t.equal(head.response.headers.get('content-length'), String(FILES.mmdb.length));
  t.match(
    head.response.headers.get('content-disposition'),
    /^attachment; filename="ipatlas-geo-\d{8}\.mmdb"$/,
  );
  const etag = head.response.headers.get('etag')!;
  const modified = head.response.headers.get('last-modified')!;
  for (const condition of [
    ...[{ 'If-None-Match': etag }, { 'If-None-Match': `W/${etag}` }, { 'If-None-Match': '*' }],
    ...[{ 'If-None-Match': `"other", ${etag}` }, { 'If-Modified-Since': modified }],
  ]) {
    const { status, response, bytes } = await download(path, { ...key, ...condition });
    t.strictSame(
      [status, bytes.length, response.headers.get('etag')],
      [304, 0, etag],
      JSON.stringify(condition),
    );
  }
  for (const range of [`bytes=${FILES.mmdb.length}-`, 'bytes=99999999999-', 'bytes=-0']) {
    const { status, response } = await download(path, { ...key, Range: range });
    t.equal(status, 416, range);
    t.equal(response.headers.get('content-range'), `bytes */${FILES.mmdb.length}`);
  }
  t.equal(await usedSoFar(key), 0);
  t.match((await server.get('/api/user/usage', key)).body, { data: { today: 1 } }, 'that one alone');
});

t.test('decision 40: single ranges are sent, and each counts', async (t) => {
  const key = await newKey();
  const size = FILES.mmdb.length;
  const ranges = [
    ['bytes=0-0', 0, 0],
    [`bytes=${size - 1}-${size + 100}`, size - 1, size - 1],
    ['bytes=-7', size - 7, size - 1],
    ['bytes=100-', 100, size - 1],
  ] as const;
  for (const [range, first, last] of ranges) {
    const { status, response, bytes } = await download('/api/datasets/mmdb', { ...key, Range: range });
    t.equal(status, 206, range);
    t.equal(response.headers.get('content-range'), `bytes ${first}-${last}/${size}`);
    t.equal(response.headers.get('content-length'), String(last - first + 1));
    t.ok(bytes.equals(FILES.mmdb.subarray(first, last + 1)), range);
  }
  t.equal(await usedSoFar(key), 4);
});

t.test('decision 40: any other Range header gets the whole file', async (t) => {
  const etag = `"${sha256(FILES.mmdb)}"`;
  const whole = [
    { Range: 'bytes=0-1,4-5' },
    { Range: 'bytes=5-1' },
    { Range: 'rows=0-1' },
    { Range: 'bytes=' },
    { Range: 'bytes=a-b' },
    { Range: 'bytes=0-9', 'If-Range': '"another"' },
    { Range: 'bytes=0-9', 'If-Range': `W/${etag}` },
    { Range: 'bytes=0-9', 'If-Range': 'Thu, 01 Jan 1970 00:00:00 GMT' },
  ];
  for (const headers of whole) {
    const { status, bytes } = await download('/api/datasets/mmdb', {
      ...(await newKey()),
      ...headers,
    });
    t.equal(status, 200, JSON.stringify(headers));
    t.ok(bytes.equals(FILES.mmdb));
  }
  const resumed = { ...(await newKey()), Range: 'bytes=0-9', 'If-Range': etag };
  t.equal((await download('/api/datasets/mmdb', resumed)).status, 206);
});

t.test('decision 5: checks the key, then the plan, then the name', async (t) => {
  const pro = await newKey('pro');
  const enterprise = await newKey();
  for (const path of ['/api/datasets/mmdb', '/api/datasets/nothing']) {
    t.match(await server.get(path, caller()), { status: 200, body: { code: 401 } }, path);
    t.match(await server.get(path, pro), { status: 200, body: { code: 403 } }, path);
  }
  t.match(await server.get('/api/datasets/mmdb', { 'X-API-Key': enterprise.Authorization }), {
    body: { code: 401 },
  });
  t.match(await server.get('/api/datasets/nothing', enterprise), { status: 200, body: { code: 400 } });
});

t.test('decision 39: an unknown name is 400, and no path reaches another file', async (t) => {
  const key = await newKey();
  const authorization = `Authorization: ${key.Authorization}\r\n`;
  const names = [
    ...['geo', 'MMDB', 'Asn', 'mmdb.mmdb', 'geo.mmdb', 'mmdb%00', 'mmdb%20', '%20mmdb', '..%2fmmdb'],
    ...['..%2f..%2fmanifest.json', '..%5cmmdb', '%2e%2e', '%2e%2e%2fgeo', '%252e%252e', 'mmdb%2f..%2fasn'],
    ...['__proto__', 'constructor', 'toString', 'mmdb,asn', 'mmdb;x', '%zz', '%ff', '%F0%9F%98%80', '.'],
  ];
  for (const name of names) {
    for (const path of [`/api/datasets/${name}`, `/api/datasets/${name}/info`]) {
      const { status, body } = await getRaw(server.url, path, authorization);
      t.match({ status, body: JSON.parse(body) as unknown }, { status: 200, body: { code: 400 } }, path);
    }
  }
  for (const path of ['/api/datasets/mmdb/../isp', '/api/datasets//mmdb', '/api/datasets/mmdb/info/../x'])
    t.equal((await getRaw(server.url, path, authorization)).status, 404, path);
  t.equal((await getRaw(server.url, '/API/Datasets/mmdb/', authorization)).status, 200, 'paths have no case');
  t.equal(await usedSoFar(key), 1);
});

t.test('decision 39: a dataset that the release does not have is 404', async (t) => {
  const partial = await runServer(t, { withRelease: false });
  const id = await publishSmallRelease(partial.outputDir, { without: ['download/isp.mmdb'] });
  await untilServed(partial, id);
  const key = await newKey('enterprise', partial);
  t.match(await partial.get('/api/datasets/isp', key), { status: 200, body: { code: 404 } });
  t.match((await partial.get('/api/datasets/isp/info')).body, { code: 404 });
  t.match((await partial.get('/api/datasets/asn/info')).body, { code: 0 });
});

t.test('decision 39: the sixth download of a dataset by an account in an hour is 429', async (t) => {
  const key = await newKey();
  for (let used = 1; used <= 5; used++) t.equal(await usedSoFar(key, 'asn'), used - 1);
  const refused = await server.get('/api/datasets/asn', key);
  t.match(refused, { status: 429, body: { code: 429, msg: /5/, limit: 5 } });
  const { reset_at, reset_iso } = refused.body as { reset_at: number; reset_iso: string };
  t.equal(new Date(reset_iso).getTime(), reset_at * 1000);
  t.equal(reset_at % 3600, 0, 'clock hours');
  t.match(refused.headers.get('retry-after'), /^\d{1,4}$/);
  t.equal((await download('/api/datasets/asn', key, 'HEAD')).status, 200);
  t.equal(await usedSoFar(key, 'isp'), 0);
  t.equal(await usedSoFar(await newKey(), 'asn'), 0);
});

/** Starts a download without reading it. */
async function begin(of: TestServer, headers: Record<string, string>): Promise<IncomingMessage> {
  const asked = request(`${of.url}/api/datasets/mmdb`, { headers }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return response;
}

t.test('decision 39: an aborted download counts', async (t) => {
  const key = await newKey();
  const socket = openSocket(server.url);
  socket.write(`GET /api/datasets/mmdb HTTP/1.1\r\nHost: a\r\nAuthorization: ${key.Authorization}\r\n\r\n`);
  await once(socket, 'data');
  socket.destroy();
  t.equal(await usedSoFar(key), 1);
});

t.test('decision 40: a release published during a slow download does not change it', async (t) => {
  const swapping = await runServer(t, { withRelease: false });
  // Larger than all buffers, so the rest is not yet read from the file.
  const first = await publishSmallRelease(swapping.outputDir, {
    ...{ datasets: ['geo'], keep: 1, downloadBallast: 40_000 },
  });
  const file = join(releaseDir(swapping.outputDir, first), 'download/geo.mmdb');
  const before = readFileSync(file);
  t.ok(before.length > 4_500_000, String(before.length));
  await untilServed(swapping, first);
  const key = await newKey('enterprise', swapping);
  const slow = await begin(swapping, key);
  const second = await publishSmallRelease(swapping.outputDir, {
    ...{ datasets: ['geo'], marker: 'new', keep: 1, buildEpoch: SMALL_BUILD_EPOCH + 86_400 },
  });
  await untilServed(swapping, second);
  const chunks: Buffer[] = [];
  for await (const chunk of slow) chunks.push(chunk as Buffer);
  t.ok(Buffer.concat(chunks).equals(before), 'the old bytes to the end');
  t.equal(slow.headers['etag'], `"${sha256(before)}"`);
  const response = await fetch(`${swapping.url}/api/datasets/mmdb`, { headers: key });
  const bytes = Buffer.from(await response.arrayBuffer());
  t.equal(response.headers.get('etag'), `"${sha256(bytes)}"`);
  t.notOk(bytes.equals(before));
  const resumed = await fetch(`${swapping.url}/api/datasets/mmdb`, {
    headers: { ...key, Range: 'bytes=10-', 'If-Range': `"${sha256(before)}"` },
  });
  t.equal(resumed.status, 200, 'a download of the old file cannot be resumed with the new one');
  await resumed.arrayBuffer();
});
