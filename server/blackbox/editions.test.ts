import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Reader, type CityResponse } from 'maxmind';
import t from 'tap';
import { verifyMmdb } from '../../pipeline/mmdb/verify.js';
import { currentRelease } from '../../pipeline/release/release-store.js';
import { getRaw } from '../testing/raw-http.js';
import { runServer } from '../testing/running-server.js';
import { publishSmallRelease, SMALL_BUILD_EPOCH } from '../testing/small-release.js';

/** Each call to the public bucket comes from a new address. */
const server = await runServer(t, { trustedProxies: ['127.0.0.1/32'] });
let callers = 0;
const caller = () => ({ 'X-Forwarded-For': `9.9.9.${++callers & 255}` });
const newKey = async () => ({ Authorization: `Bearer ${await server.key('enterprise')}` });

const { manifest, dir } = (await currentRelease(server.outputDir))!;
const DATASETS = {
  'download/geo.mmdb': 'mmdb',
  'download/asn.mmdb': 'asn',
  'download/isp.mmdb': 'isp',
} as const;

/** All editions with their bytes, put together by the test. */
const EDITIONS = manifest.editions!.map(({ name, type, of, bodyBytes }) => ({
  ...{ type, bodyBytes, dataset: DATASETS[of as keyof typeof DATASETS] },
  bytes: Buffer.concat([readFileSync(join(dir, of)).subarray(0, bodyBytes), readFileSync(join(dir, name))]),
}));
const CITY = EDITIONS.find(({ type }) => type === 'GeoLite2-City')!;

async function download(path: string, headers: Record<string, string>) {
  const response = await fetch(server.url + path, { headers });
  return { response, status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
}

t.test('decision 76: every edition is downloaded with its own digest, size and name', async (t) => {
  for (const { type, dataset, bytes } of EDITIONS) {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const { data } = (await server.get(`/api/datasets/${dataset}/info?edition=${type}`, caller())).body as {
      data: Record<string, unknown>;
    };
    t.match(data, {
      ...{ edition: type, size: bytes.length, sha256, filename: `${type}-20261121.mmdb` },
      md5: createHash('md5').update(bytes).digest('hex'),
    });
    const found = await download(`/api/datasets/${dataset}?edition=${type}`, await newKey());
    t.equal(found.status, 200);
    t.ok(found.bytes.equals(bytes), type);
    t.same(verifyMmdb(found.bytes).problems, []);
    t.equal(verifyMmdb(found.bytes).metadata?.databaseType, type);
    t.equal(found.response.headers.get('etag'), `"${sha256}"`);
    t.equal(found.response.headers.get('content-length'), String(bytes.length));
    t.equal(
      found.response.headers.get('content-disposition'),
      `attachment; filename="${type}-20261121.mmdb"`,
    );
  }
  const { bytes } = await download('/api/datasets/mmdb?edition=GeoLite2-City', await newKey());
  t.equal(new Reader<CityResponse>(bytes).get('8.8.8.8')?.country?.iso_code, 'US');
});

t.test('decision 76: the file itself is the edition by default', async (t) => {
  const key = await newKey();
  const own = await download('/api/datasets/asn', key);
  const named = await download('/api/datasets/asn?edition=ipatlas-ASN', key);
  t.ok(own.bytes.equals(named.bytes));
  t.ok(own.bytes.equals(readFileSync(join(dir, 'download/asn.mmdb'))));
  t.equal(named.response.headers.get('etag'), own.response.headers.get('etag'));
});

t.test('decision 76: an edition that a dataset does not have is 400 with those that it has', async (t) => {
  const key = await newKey();
  const types = [
    'GeoLite2-ASN',
    'geolite2-city',
    'GeoLite2-City%20',
    '',
    'x',
    '__proto__',
    'constructor',
    'toString',
  ];
  types.push(
    '../asn',
    '..%2fmanifest.json',
    'editions/geo-geolite2-city.metadata',
    'GeoLite2-City%00',
    '%ff',
  );
  const msg = `invalid edition: expected ipatlas-City, GeoLite2-City, GeoIP2-City, GeoLite2-Country, GeoIP2-Country`;
  for (const type of types) {
    for (const path of ['mmdb', 'mmdb/info']) {
      const authorization = `Authorization: ${key.Authorization}\r\nX-Forwarded-For: 9.8.7.${++callers & 255}\r\n`;
      const { status, body } = await getRaw(
        server.url,
        `/api/datasets/${path}?edition=${type}`,
        authorization,
      );
      t.strictSame([status, JSON.parse(body)], [200, { code: 400, msg }], `${path} ${type}`);
    }
  }
  t.equal((await download('/api/datasets/mmdb', key)).response.headers.get('x-dataset-hourly-used'), '1');
});

t.test('ranges of an edition are right before, across and behind the end of the file', async (t) => {
  const { bytes, bodyBytes } = CITY;
  const last = bytes.length - 1;
  const ranges = [
    [0, 0],
    [bodyBytes - 1, bodyBytes - 1],
    [bodyBytes - 1, bodyBytes],
    [bodyBytes - 10, last],
    [bodyBytes, bodyBytes],
    [bodyBytes + 3, bodyBytes + 20],
    [last, last],
    [0, last],
  ] as const;
  for (const [first, end] of ranges) {
    const headers = { ...(await newKey()), Range: `bytes=${first}-${end}` };
    const found = await download('/api/datasets/mmdb?edition=GeoLite2-City', headers);
    t.equal(found.status, 206);
    t.equal(found.response.headers.get('content-range'), `bytes ${first}-${end}/${bytes.length}`);
    t.ok(found.bytes.equals(bytes.subarray(first, end + 1)), `${first}-${end}`);
  }
  const behind = { ...(await newKey()), Range: `bytes=${bytes.length}-` };
  t.equal((await download('/api/datasets/mmdb?edition=GeoLite2-City', behind)).status, 416);
});

t.test('a file of one edition is not taken for another', async (t) => {
  const key = await newKey();
  const own = await download('/api/datasets/mmdb', key);
  const tag = own.response.headers.get('etag')!;
  const path = '/api/datasets/mmdb?edition=GeoIP2-City';
  t.equal((await download(path, { ...key, 'If-None-Match': tag })).status, 200);
  t.equal((await download(path, { ...key, 'If-Range': tag, Range: 'bytes=5-' })).status, 200);
  const edition = (await download(path, key)).response.headers.get('etag')!;
  t.equal((await download(path, { ...key, 'If-None-Match': edition })).status, 304);
  t.equal((await download('/api/datasets/mmdb', { ...key, 'If-None-Match': edition })).status, 200);
});

t.test('all editions of a dataset share one meter', async (t) => {
  const key = await newKey();
  for (const [i, type] of ['ipatlas-City', 'GeoLite2-City', 'GeoIP2-City', 'GeoLite2-Country'].entries()) {
    const { response } = await download(`/api/datasets/mmdb?edition=${type}`, key);
    t.equal(response.headers.get('x-dataset-hourly-used'), String(i + 1));
  }
  const all = await Promise.all(
    Array.from({ length: 6 }, () => download('/api/datasets/mmdb?edition=GeoIP2-Country', key)),
  );
  t.equal(all.filter(({ status }) => status === 200).length, 1, 'one is left, whatever the order');
  t.equal(all.filter(({ status }) => status === 429).length, 5);
});

t.test('a release from before editions has only its own files', async (t) => {
  const old = await runServer(t, { withRelease: false });
  const buildEpoch = SMALL_BUILD_EPOCH + 60;
  const id = await publishSmallRelease(old.outputDir, { editions: false, buildEpoch });
  old.running.look();
  while (((await old.get('/readyz')).body as { release: string | null }).release !== id) await setTimeout(20);
  const { body } = await old.get('/api/datasets/asn/info');
  t.match(body, { code: 0, data: { edition: 'ipatlas-ASN', editions: ['ipatlas-ASN'] } });
  t.notHas((body as { data: object }).data, { md5: String });
  t.match((await old.get('/api/datasets/asn/info?edition=GeoLite2-ASN')).body, {
    code: 400,
    msg: 'invalid edition: expected ipatlas-ASN',
  });
});
