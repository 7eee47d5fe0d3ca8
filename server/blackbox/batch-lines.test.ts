import { once } from 'node:events';
import { request } from 'node:http';
import t from 'tap';
import { DnsServer } from '../testing/dns-server.js';
import { runServer } from '../testing/running-server.js';
import { SMALL } from '../testing/small-records.js';

const names = await DnsServer.start({
  'google.example.com': { addresses: [SMALL.google] },
  'broken.example.com': 'servfail',
  'silent.example.com': 'silence',
});
t.teardown(() => names.close());
const server = await runServer(t, { dnsServers: [names.address] });
const key = { Authorization: `Bearer ${await server.key('enterprise')}` };
const LINES = { Accept: 'application/x-ndjson' };

const post = (ips: unknown, headers: Record<string, string> = {}, query = '') =>
  fetch(`${server.url}/api/ip/batch${query}`, {
    method: 'POST',
    body: JSON.stringify({ ips }),
    headers: { ...key, ...headers },
  });

t.test('decision 81: NDJSON has the entries of the JSON answer, one in a line', async (t) => {
  const ips = [
    SMALL.google,
    '127.1',
    'google.example.com',
    'broken.example.com',
    7,
    SMALL.reserved,
    SMALL.google,
  ];
  for (const query of ['', '?lang=en', '?lang=en&fields=ip,bgp.as']) {
    const { data } = (await (await post(ips, {}, query)).json()) as { data: unknown[] };
    const response = await post(ips, LINES, query);
    t.equal(response.headers.get('content-type'), 'application/x-ndjson; charset=utf-8');
    t.ok(response.headers.has('x-data-build'));
    const text = await response.text();
    t.ok(text.endsWith('\n'));
    const lines = text.trimEnd().split('\n');
    t.strictSame(
      lines.map((line) => JSON.parse(line) as unknown),
      data,
      query,
    );
  }
});

t.test('decision 81: 500 targets are 500 lines', async (t) => {
  const ips = Array.from({ length: 500 }, (_, i) => `8.8.${i >> 8}.${i & 255}`);
  const lines = (await (await post(ips, LINES)).text()).trimEnd().split('\n');
  t.strictSame(
    lines.map((line) => (JSON.parse(line) as { ip: string }).ip),
    ips,
  );
});

t.test('decision 81: lines before a name that is being resolved are sent at once', async (t) => {
  const asked = request(`${server.url}/api/ip/batch`, { method: 'POST', headers: { ...key, ...LINES } });
  asked.end(JSON.stringify({ ips: [SMALL.google, 'silent.example.com', SMALL.google] }));
  const [response] = (await once(asked, 'response')) as [AsyncIterable<Buffer>];
  const blocks: string[] = [];
  for await (const block of response) blocks.push(block.toString('utf8'));
  t.match(blocks[0], /^\{"ip":"8\.8\.8\.8".*\}\n$/, 'the first block has the first line only');
  t.equal(blocks.join('').trimEnd().split('\n').length, 3);
});

t.test('decision 81: JSON stays the answer for every other Accept', async (t) => {
  for (const accept of ['*/*', 'application/json', 'application/x-ndjson, application/json', 'text/plain']) {
    const response = await post([SMALL.google], { Accept: accept });
    t.equal(response.headers.get('content-type'), 'application/json; charset=utf-8', accept);
    t.match(await response.json(), { code: 0, data: [{ ip: SMALL.google }] });
  }
});

t.test('decision 81: a refused call is the JSON of the error, and costs nothing', async (t) => {
  const free = { Authorization: `Bearer ${await server.key('free')}` };
  for (const ips of [[], 'x', Array<string>(11).fill(SMALL.google)])
    t.match(await (await post(ips, { ...LINES, ...free })).json(), { code: 400, msg: /./ });
  t.match(await (await post([SMALL.google], { ...LINES, ...free }, '?fields=x')).json(), { code: 400 });
  t.match((await server.get('/api/user/usage', free)).body, { data: { today: 0 } });
  await (await post([SMALL.google, '127.1'], { ...LINES, ...free })).text();
  t.match((await server.get('/api/user/usage', free)).body, { data: { today: 1 } });
});
