import { once } from 'node:events';
import { connect } from 'node:net';
import t from 'tap';
import { until } from '../nodes/testing/until.js';
import { silentTarget } from '../probe/testing/tcp-targets.js';
import type { CheckedAnswer } from '../testing/checked-answer.js';
import { runServer, type TestServer } from '../testing/running-server.js';
import { publishSmallRelease } from '../testing/small-release.js';
import { newCustomer, onlyKey, plainRedis, windowOf } from './testing/callers.js';

const server = await runServer(t);
const MMDB = '/api/datasets/mmdb';

/** Returns hourly and daily use from the headers. */
function used({ headers }: CheckedAnswer): (number | null)[] {
  return ['hourly-limit', 'hourly-used', 'daily-limit', 'daily-used'].map((name) => {
    const value = headers.get(`x-dataset-${name}`);
    return value === null ? null : Number(value);
  });
}

t.test(
  'decision 39: of 30 concurrent downloads from two servers exactly 5 are granted, each with its own count',
  async (t) => {
    const second = await server.another();
    const customer = await newCustomer(server, 'enterprise');
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) => (i % 2 ? server : second).get(MMDB, customer.headers)),
    );
    const granted = answers.filter(({ status }) => status === 200);
    t.same(
      granted.map(used).sort((a, b) => a[1]! - b[1]!),
      [1, 2, 3, 4, 5].map((n) => [5, n, 30, n]),
    );
    for (const answer of granted)
      t.match(answer.headers.get('content-disposition'), /^attachment; filename=".+\.mmdb"$/);
    const refused = answers.filter(({ status }) => status === 429);
    t.equal(refused.length, 25);
    for (const answer of refused) {
      const { code, limit, reset_at, reset_iso } = answer.body as Record<string, unknown>;
      t.match({ code, limit }, { code: 429, limit: 5 });
      t.equal(reset_iso, new Date(Number(reset_at) * 1000).toISOString());
      t.equal(Number(reset_at) % 3600, 0, 'the end of the clock hour');
      const seconds = Number(answer.headers.get('retry-after'));
      t.ok(seconds >= 1 && seconds <= 3600);
      t.ok(Math.abs(Number(reset_at) - seconds - Date.now() / 1000) < 60);
      t.same(used(answer), [5, 5, 30, 5]);
    }
    t.equal(await customer.usedToday(), 5, 'decision 9: downloads are in usage');
    t.equal(await customer.credits(), 500_000, 'and cost no credits');
    t.equal(
      windowOf(await server.get('/api/user/me', customer.headers)).remaining,
      3000 - 32,
      'but the minute',
    );
    t.equal(
      (await server.get('/api/datasets/asn', customer.headers)).status,
      200,
      'other datasets have their own',
    );
    const other = await newCustomer(server, 'enterprise');
    t.same(used(await server.get(MMDB, other.headers)), [5, 1, 30, 1], 'and so have other accounts');
  },
);

t.test(
  'decision 39: HEAD, 304 and 416 do not count, 206 does; HEAD is answered when no download is left',
  async (t) => {
    const { headers, usedToday } = await newCustomer(server, 'enterprise');
    const { headers: about } = await server.ask(MMDB, {
      method: 'HEAD',
      headers,
    });
    const etag = about.get('etag')!;
    t.equal((await server.get(MMDB, { ...headers, 'If-None-Match': etag })).status, 304);
    t.equal((await server.get(MMDB, { ...headers, Range: 'bytes=999999999-' })).status, 416);
    for (let n = 1; n <= 5; n++)
      t.same(used(await server.get(MMDB, { ...headers, Range: `bytes=${n}-${n}` })), [5, n, 30, n]);
    t.equal((await server.get(MMDB, { ...headers, Range: 'bytes=6-6' })).status, 429);
    t.equal((await server.get(MMDB, { ...headers, 'If-None-Match': etag })).status, 304);
    t.equal((await server.ask(MMDB, { method: 'HEAD', headers })).status, 200);
    t.equal(await usedToday(), 5);
  },
);

t.test('decision 39: the refusal names the day when the daily limit is exceeded', async (t) => {
  const redis = plainRedis(t, server);
  const { headers, account } = await newCustomer(server, 'enterprise');
  await server.get(MMDB, headers);
  await redis.set(await onlyKey(redis, `*dl:account:${account.id}:mmdb:d*`), 29, 'KEEPTTL');
  t.same(used(await server.get(MMDB, headers)), [5, 2, 30, 30]);
  const refused = await server.get(MMDB, headers);
  t.match(refused, { status: 429, body: { code: 429, limit: 30 } });
  t.equal((refused.body as { reset_at: number }).reset_at % 86_400, 0, 'until midnight');
  t.same(used(refused), [5, 2, 30, 30], 'and the hour was not touched');
  t.ok(refused.headers.has('retry-after'), 'the quota of a dataset tells how long to wait');
});

t.test('decision 4: a day ends at midnight in the time zone of the server', async (t) => {
  const east = await server.another({ timeZone: 'Asia/Kathmandu' });
  const redis = plainRedis(t, server);
  const { headers, account } = await newCustomer(east, 'enterprise');
  await east.get(MMDB, headers);
  await redis.set(await onlyKey(redis, `*dl:account:${account.id}:mmdb:d*`), 30, 'KEEPTTL');
  const { reset_at } = (await east.get(MMDB, headers)).body as {
    reset_at: number;
  };
  t.equal((reset_at + (5 * 60 + 45) * 60) % 86_400, 0);
});

t.test('decision 39: an aborted download counts', async (t) => {
  const customer = await newCustomer(server, 'enterprise');
  for (let n = 1; n <= 2; n++) {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write(`GET ${MMDB} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${customer.key}\r\n\r\n`);
    await once(socket, 'data');
    socket.resetAndDestroy();
  }
  t.same(used(await server.get(MMDB, customer.headers)), [5, 3, 30, 3]);
});

t.test(
  'decisions 39 and 58: a download behind a running call of its connection is not counted',
  async (t) => {
    const customer = await newCustomer(server, 'enterprise');
    const { port: silentPort } = await silentTarget(t);
    const redis = plainRedis(t, server);
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    const paths = [`/api/tcping/127.0.0.1:${silentPort}?count=10`, MMDB];
    for (const path of paths)
      socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${customer.key}\r\n\r\n`);
    await until('the probe runs', async () =>
      (await server.running.metrics.registry.metrics()).includes('\nipatlas_probes_running 1\n'),
    );
    // The server has read this connection's two requests before a later one of another connection.
    t.same(used(await server.get(MMDB, customer.headers)), [5, 1, 30, 1]);
    socket.resetAndDestroy();
    t.same(used(await server.get(MMDB, customer.headers)), [5, 2, 30, 2]);
    t.same((await redis.keys(`*dl:account:${customer.account.id}:mmdb:h*`)).length, 1);
  },
);

t.test(
  'decisions 5 and 39: refused downloads (key, plan, unknown or unbuilt dataset) are not counted',
  async (t) => {
    const few = await fewDatasets();
    const customer = await newCustomer(few, 'enterprise');
    const { headers } = customer;
    t.match((await few.get(MMDB)).body, { code: 401 });
    for (const plan of ['free', 'pro'] as const)
      t.match((await few.get(MMDB, (await newCustomer(few, plan)).headers)).body, { code: 403 });
    for (const name of ['nothing', 'MMDB', 'geo', '..%2Fmmdb'])
      t.match((await few.get(`/api/datasets/${name}`, headers)).body, { code: 400 }, name);
    t.match((await few.get('/api/datasets/isp', headers)).body, { code: 404 });
    t.match((await few.get('/api/datasets/isp/info')).body, { code: 404 });
    t.same(used(await few.get(MMDB, headers)), [5, 1, 30, 1]);
    t.equal(await customer.usedToday(), 1);
  },
);

/** Starts a server with a release without the isp dataset. */
async function fewDatasets(): Promise<TestServer> {
  const outputDir = t.testdir({});
  await publishSmallRelease(outputDir, { without: ['download/isp.mmdb'] });
  return await runServer(t, { outputDir, withRelease: false });
}
