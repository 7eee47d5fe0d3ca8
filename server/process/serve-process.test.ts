import t from 'tap';
import { shortDir } from '../../pipeline/testing/child-process.js';
import { newRedisForTest } from '../../pipeline/testing/redis-server.js';
import { DnsServer } from '../testing/dns-server.js';
import { serveProcess } from '../testing/served-process.js';
import { publishSmallRelease } from '../testing/small-release.js';

/** Waits until the silent DNS server has received a question. */
async function untilAsked(dns: DnsServer): Promise<void> {
  while (dns.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
}

t.test('without a release it starts, reports that, and serves the first published release', async (t) => {
  const OUTPUT = shortDir(t);
  const { url: REDIS_URL } = await newRedisForTest(t);
  const server = await serveProcess(t, { OUTPUT, REDIS_URL, HOST: '' });
  t.equal(server.lines.length, 1, 'one start line');
  t.match(
    server.lines[0]?.msg,
    /^listening on http:\/\/localhost:\d+, serving no release until one is built/,
  );
  const ready = await fetch(`${server.url}/readyz`);
  t.equal(ready.status, 503);
  t.match(await ready.json(), { status: 'no release', release: null });
  t.equal((await fetch(`${server.url}/api/ip/1.1.1.1`)).status, 503);
  t.equal((await fetch(`${server.url}/healthz`)).status, 200);
  const id = await publishSmallRelease(OUTPUT);
  await server.saw(({ msg }) => msg?.startsWith(`serving release ${id}`) === true);
  t.match(await (await fetch(`${server.url}/readyz`)).json(), { status: 'ready', release: id });
  server.child.kill('SIGTERM');
  t.same(await server.ended, { code: 0, stderr: '' });
});

t.test('a stop signal refuses new requests and finishes running ones', async (t) => {
  const OUTPUT = shortDir(t);
  await publishSmallRelease(OUTPUT);
  const { url: REDIS_URL } = await newRedisForTest(t);
  const dns = await DnsServer.start({ 'slow.example.com': 'silence' });
  t.teardown(() => dns.close());
  const server = await serveProcess(t, { OUTPUT, REDIS_URL, DNS_SERVERS: dns.address });
  const answer = fetch(`${server.url}/api/ip/slow.example.com`);
  await untilAsked(dns);
  server.child.kill('SIGTERM');
  await server.saw(({ msg }) => msg === 'received SIGTERM, finishing running requests');
  await t.rejects(fetch(`${server.url}/healthz`));
  dns.replies.set('slow.example.com', { addresses: ['1.1.1.1'] });
  t.match(await (await answer).json(), { code: 0, data: { ip: '1.1.1.1' } });
  t.equal((await server.ended).code, 0);
});

t.test('a second signal exits at once', async (t) => {
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
  await server.saw(({ msg }) => msg === 'received SIGINT, finishing running requests');
  server.child.kill('SIGTERM');
  await broken;
  t.equal((await server.ended).code, 143);
});

t.test('neither keys, wherever they were sent, nor the Redis password are logged', async (t) => {
  const OUTPUT = shortDir(t);
  await publishSmallRelease(OUTPUT);
  const { url } = await newRedisForTest(t);
  const REDIS_URL = url.replace('//', '//default:hunter2@');
  const server = await serveProcess(t, { OUTPUT, REDIS_URL });
  const key = 'ipa_SecretSecretSecret';
  const headers = { Referer: `http://a/?token=${key}`, 'User-Agent': key, Authorization: `Bearer ${key}` };
  await fetch(`${server.url}/api/ip/${key}?token=${key}`, { headers });
  const encoded = ['%69pa%5FSecret', '%2569pa_Secret', '%2525%36%39pa%25255fSecret', '%252569PA_Secret'];
  for (const path of [...encoded, `1.1.1.1?%2569pa_Secret=1`, `1.1.1.1?token=%252569pa_Secret`, 'ipn_Secret'])
    await fetch(`${server.url}/api/ip/${path}`, { headers: { 'X-Request-Id': 'IPA_Secret' } });
  await fetch(`${server.url}/last`);
  const last = await server.saw(({ path }) => path === '/last');
  t.match(last, { method: 'GET', route: 'unknown', status: 404, code: 404, client: '127.0.0.1' });
  t.notMatch(JSON.stringify(server.lines), /Secret|hunter2/);
  const metrics = await (await fetch(server.metricsUrl)).text();
  t.match(metrics, /^ipatlas_release_age_seconds \d+$/m);
  t.match(metrics, /^ipatlas_releases_refused_total 0$/m);
  t.match(metrics, /^ipatlas_log_lines_dropped_total 0$/m);
  t.equal((await fetch(server.metricsUrl.replace('/metrics', '/other'))).status, 404);
  t.equal((await fetch(server.metricsUrl, { method: 'POST' })).status, 405);
});
