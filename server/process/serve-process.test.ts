import t from 'tap';
import { shortDir } from '../../pipeline/jobs/testing/child-process.js';
import { newRedisForTest } from '../../pipeline/jobs/testing/redis-server.js';
import { DnsServer } from '../testing/dns-server.js';
import { serveProcess } from '../testing/served-process.js';
import { publishSmallRelease } from '../testing/small-release.js';

/** A question to a DNS server that says nothing is under way when this resolves. */
async function untilAsked(dns: DnsServer): Promise<void> {
  while (dns.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
}

t.test('it waits for a release, says so, and serves the first one that is published', async (t) => {
  const OUTPUT = shortDir(t);
  const { url: REDIS_URL } = await newRedisForTest(t);
  const server = await serveProcess(t, { OUTPUT, REDIS_URL, HOST: '' });
  t.equal(server.lines.length, 1, 'one line about the start');
  t.match(server.lines[0]?.msg, /^http:\/\/localhost:\d+ serves no release yet/);
  const ready = await fetch(`${server.url}/readyz`);
  t.equal(ready.status, 503);
  t.match(await ready.json(), { status: 'no release', release: null });
  t.equal((await fetch(`${server.url}/api/ip/1.1.1.1`)).status, 503);
  t.equal((await fetch(`${server.url}/healthz`)).status, 200);
  const id = await publishSmallRelease(OUTPUT);
  await server.saw(({ msg }) => msg?.startsWith(`release ${id} is served`) === true);
  t.match(await (await fetch(`${server.url}/readyz`)).json(), { status: 'ready', release: id });
  server.child.kill('SIGTERM');
  t.same(await server.ended, { code: 0, stderr: '' });
});

t.test('a stop ends what is running first, and takes nothing more', async (t) => {
  const OUTPUT = shortDir(t);
  await publishSmallRelease(OUTPUT);
  const { url: REDIS_URL } = await newRedisForTest(t);
  const dns = await DnsServer.start({ 'slow.example.com': 'silence' });
  t.teardown(() => dns.close());
  const server = await serveProcess(t, { OUTPUT, REDIS_URL, DNS_SERVERS: dns.address });
  const answer = fetch(`${server.url}/api/ip/slow.example.com`);
  await untilAsked(dns);
  server.child.kill('SIGTERM');
  await server.saw(({ msg }) => msg === 'SIGTERM: ending running requests');
  await t.rejects(fetch(`${server.url}/healthz`));
  dns.replies.set('slow.example.com', { addresses: ['1.1.1.1'] });
  t.match(await (await answer).json(), { code: 0, data: { ip: '1.1.1.1' } });
  t.equal((await server.ended).code, 0);
});

t.test('a second signal ends it there and then', async (t) => {
  const OUTPUT = shortDir(t);
  await publishSmallRelease(OUTPUT);
  const { url: REDIS_URL } = await newRedisForTest(t);
  const dns = await DnsServer.start({ 'slow.example.com': 'silence' });
  t.teardown(() => dns.close());
  const server = await serveProcess(t, { OUTPUT, REDIS_URL, DNS_SERVERS: dns.address });
  const answer = fetch(`${server.url}/api/ip/slow.example.com`);
  const broken = t.rejects(answer);
  await untilAsked(dns);
  server.child.kill('SIGINT');
  await server.saw(({ msg }) => msg === 'SIGINT: ending running requests');
  server.child.kill('SIGTERM');
  await broken;
  t.equal((await server.ended).code, 143);
});

t.test('no key is logged, wherever it was put, and Redis’s password is not', async (t) => {
  const OUTPUT = shortDir(t);
  await publishSmallRelease(OUTPUT);
  const { url } = await newRedisForTest(t);
  const REDIS_URL = url.replace('//', '//default:hunter2@');
  const server = await serveProcess(t, { OUTPUT, REDIS_URL });
  const key = 'ipa_SecretSecretSecret';
  const headers = { Referer: `http://a/?token=${key}`, 'User-Agent': key, Authorization: `Bearer ${key}` };
  await fetch(`${server.url}/api/ip/${key}?token=${key}`, { headers });
  await fetch(`${server.url}/api/ip/%69pa%5FSecretSecretSecret`);
  await fetch(`${server.url}/last`);
  const last = await server.saw(({ path }) => path === '/last');
  t.match(last, { method: 'GET', route: 'unknown', status: 404, code: 404, client: '127.0.0.1' });
  t.notMatch(JSON.stringify(server.lines), /Secret|hunter2/);
  const metrics = await (await fetch(server.metricsUrl)).text();
  t.match(metrics, /^ipatlas_release_age_seconds \d+$/m);
  t.match(metrics, /^ipatlas_releases_refused_total 0$/m);
  t.equal((await fetch(server.metricsUrl.replace('/metrics', '/other'))).status, 404);
  t.equal((await fetch(server.metricsUrl, { method: 'POST' })).status, 405);
});
