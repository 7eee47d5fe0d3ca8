import type { IncomingMessage, ServerResponse } from 'node:http';
import t, { type Test } from 'tap';
import { deadlineIn } from '../../deadline.js';
import { clientOf, startUpstream } from '../../egress/testing/loopback-world.js';
import { PerHostLimit } from '../per-host-limit.js';
import type { WhoisTarget } from '../whois-record.js';
import { RdapClient } from './rdap-client.js';
import { ARIN_AUTNUM, REGISTRAR_DOMAIN, RIPE_NETWORK, THIN_DOMAIN } from './testing/rdap-samples.js';
import { UpstreamError } from '../../upstream-error.js';

const ZONE = 'test-upstream.example.com';
const DOMAIN: WhoisTarget = { kind: 'domain', name: 'example.com' };
const ADDRESS: WhoisTarget = { kind: 'ip', ip: '193.0.6.139', version: 4 };

type Reply = (request: IncomingMessage, response: ServerResponse) => void;

/** Starts servers by their first label on one port, and a client whose bootstrap lists some of them. */
async function world(
  t: Test,
  replies: Readonly<Record<string, Reply>>,
  servers: readonly string[] = ['registry'],
  { allowLoopback = true } = {},
) {
  const asked: string[] = [];
  const upstream = await startUpstream(t, (request, response) => {
    const host = String(request.headers[':authority'] ?? request.headers.host);
    const [label = ''] = host.split('.');
    asked.push(`${label} ${request.url ?? ''}`);
    const reply = replies[label];
    if (reply) reply(request, response);
    else json(404, { errorCode: 404 })(request, response);
  });
  const names = ['registry', 'second', 'registrar', 'ripe', 'home'].map((label) => `${label}.${ZONE}`);
  const hosts = Object.fromEntries(names.map((name) => [name, ['127.0.0.1']]));
  const http = await clientOf(t, hosts, { allowLoopback });
  const base = (label: string) => `https://${label}.${ZONE}:${upstream.port}/rdap/`;
  const bootstrap = { serversOf: () => Promise.resolve(servers.map((label) => new URL(base(label)))) };
  const client = new RdapClient({ bootstrap, http, limit: new PerHostLimit(4) });
  const ask = (target: WhoisTarget, budgetMs = 8000) => client.ask(target, deadlineIn(budgetMs));
  return { ask, asked, base, port: upstream.port };
}

const json =
  (status: number, body: unknown): Reply =>
  (_, response) => {
    response.writeHead(status, { 'Content-Type': 'application/rdap+json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

/** A thin domain with a link to the registrar on the same port. */
const thin =
  (type = 'application/rdap+json'): Reply =>
  (request, response) => {
    const port = String(request.headers[':authority']).split(':')[1] ?? '';
    const href = `https://registrar.${ZONE}:${port}/domain/EXAMPLE.COM`;
    json(200, { ...THIN_DOMAIN, links: [{ rel: 'related', type, href }] })(request, response);
  };

t.test('RFC 9082: path and headers of queries', async (t) => {
  let accept: unknown;
  const { ask, asked } = await world(t, {
    registry: (request, response) => {
      accept = request.headers.accept;
      const { url = '' } = request;
      const object = url.includes('autnum')
        ? ARIN_AUTNUM
        : url.includes('/ip/')
          ? RIPE_NETWORK
          : REGISTRAR_DOMAIN;
      json(200, object)(request, response);
    },
  });
  t.match(await ask(DOMAIN), { kind: 'found', registration: { registrant: 'Example Org' } });
  t.match(await ask(ADDRESS), { kind: 'found', registration: { registrar: 'RIPE' } });
  t.match(await ask({ kind: 'ip', ip: '193.0.0.0', version: 4, length: 21 }), { kind: 'found' });
  t.match(await ask({ kind: 'asn', asn: 15_169 }), { kind: 'found', registration: { registrar: 'ARIN' } });
  t.same(asked, [
    'registry /rdap/domain/example.com',
    'registry /rdap/ip/193.0.6.139',
    'registry /rdap/ip/193.0.0.0/21',
    'registry /rdap/autnum/15169',
  ]);
  t.equal(accept, 'application/rdap+json, application/json;q=0.9');
});

t.test('without a listed server the answer is no-server', async (t) => {
  const bootstrap = { serversOf: () => Promise.resolve(undefined) };
  const http = { request: () => Promise.reject(new Error('unexpected request')) };
  const client = new RdapClient({ bootstrap, http, limit: new PerHostLimit(4) });
  t.same(await client.ask(DOMAIN, deadlineIn(1000)), { kind: 'no-server' });
});

t.test("a thin domain registry's answer is completed from the registrar, with one query", async (t) => {
  const { ask, asked } = await world(t, { registry: thin(), registrar: thin() });
  await ask(DOMAIN);
  t.same(asked, ['registry /rdap/domain/example.com', 'registrar /domain/EXAMPLE.COM']);
  const whole = await world(t, { registry: thin(), registrar: json(200, REGISTRAR_DOMAIN) });
  t.match(await whole.ask(DOMAIN), {
    kind: 'found',
    registration: { registrant: 'Example Org', expiry_date: '2027-08-13T04:00:00Z', raw: /IANA-SERVERS/ },
  });
});

t.test("a failing registrar leaves the domain registry's answer", async (t) => {
  const failures: Reply[] = [
    json(404, {}),
    json(500, {}),
    json(200, '<html>'),
    json(200, { ...REGISTRAR_DOMAIN, ldhName: 'example.net' }),
    (_, response) => response.destroy(),
    (_, response) => response.writeHead(302, { Location: 'http://127.0.0.1/' }).end(),
  ];
  for (const registrar of failures) {
    const { ask } = await world(t, { registry: thin(), registrar });
    t.match(await ask(DOMAIN), {
      kind: 'found',
      registration: { registrant: '', dnssec: 'signedDelegation' },
    });
  }
  const { ask } = await world(t, { registry: thin(), registrar: () => undefined });
  const before = performance.now();
  t.match(await ask(DOMAIN, 700), { kind: 'found' });
  t.ok(performance.now() - before < 3000);
});

t.test('decision 25: after a failure the next server is queried', async (t) => {
  const failures: Readonly<Record<string, Reply>> = {
    429: json(429, {}),
    400: json(400, {}),
    500: json(503, 'busy'),
    'not JSON': json(200, '<html>'),
    'an array': json(200, []),
    'cut short': json(200, '{"objectClassName":"dom'),
    'another domain': json(200, { ...THIN_DOMAIN, ldhName: 'example.net' }),
    'another kind': json(200, RIPE_NETWORK),
    'too much': json(200, `"${'x'.repeat(1_000_001)}"`),
    disconnect: (_, response) => response.destroy(),
    silence: () => undefined,
    'a redirect loop': (_, response) => response.writeHead(302, { Location: '?' }).end(),
    'a private address': (_, response) => response.writeHead(302, { Location: 'https://10.0.0.1/' }).end(),
    'plain http': (_, response) => response.writeHead(301, { Location: 'http://nic.example.com/' }).end(),
    'deep nesting': json(200, '['.repeat(400_000)),
  };
  for (const [name, registry] of Object.entries(failures)) {
    const two = await world(t, { registry, second: json(200, REGISTRAR_DOMAIN) }, ['registry', 'second']);
    t.match(await two.ask(DOMAIN, 2000), { kind: 'found' }, name);
  }
});

t.test('decision 11: if every server fails, an UpstreamError names the reason', async (t) => {
  const reasonOf = async (registry: Reply, budgetMs = 8000) => {
    const { ask } = await world(t, { registry });
    return ask(DOMAIN, budgetMs).then(
      () => 'answered',
      (error: unknown) => (error instanceof UpstreamError ? error.reason : error),
    );
  };
  t.equal(await reasonOf(json(429, {})), 'rate-limited');
  t.equal(await reasonOf(json(500, {})), 'failed');
  t.equal(await reasonOf(json(200, '{')), 'malformed');
  const before = performance.now();
  t.equal(await reasonOf(() => undefined, 300), 'timeout');
  t.ok(performance.now() - before < 2000);
});

t.test('follows at most four redirects and checks each hop with the guard', async (t) => {
  const hops =
    (count: number): Reply =>
    (request, response) => {
      const n = Number(/hop=(\d+)/.exec(request.url ?? '')?.[1] ?? 0);
      if (n === count) json(200, REGISTRAR_DOMAIN)(request, response);
      else response.writeHead(302, { Location: `/x?hop=${n + 1}` }).end();
    };
  const four = await world(t, { registry: hops(4) });
  t.match(await four.ask(DOMAIN), { kind: 'found' });
  const five = await world(t, { registry: hops(5) });
  await t.rejects(five.ask(DOMAIN), { name: 'UpstreamError' });
  const closed = await world(t, { registry: json(200, REGISTRAR_DOMAIN) }, ['registry'], {
    allowLoopback: false,
  });
  await t.rejects(closed.ask(DOMAIN), { name: 'UpstreamError', reason: 'not-public' });
  t.same(closed.asked, [], 'no connection was made');
});

t.test('404 means absent; for a domain only from the listed server itself', async (t) => {
  const elsewhere: Reply = (request, response) => {
    const port = String(request.headers[':authority']).split(':')[1] ?? '';
    const Location = `https://second.${ZONE}:${port}${request.url ?? ''}`;
    response.writeHead(302, { Location }).end();
  };
  const direct = await world(t, { registry: json(404, { errorCode: 404, title: 'Not found' }) });
  t.match(await direct.ask(DOMAIN), { kind: 'absent', raw: /Not found/ });
  const said = await world(t, { registry: json(200, { errorCode: 404 }) });
  t.match(await said.ask(DOMAIN), { kind: 'absent' });
  const passed = await world(t, { registry: elsewhere, second: json(404, {}) });
  await t.rejects(passed.ask(DOMAIN), { name: 'UpstreamError', reason: 'failed' });
  t.match(await passed.ask(ADDRESS), { kind: 'absent' }, 'RIRs redirect queries for numbers to each other');
});

t.test('decision 25: a server gets at most four concurrent queries', async (t) => {
  let running = 0;
  let most = 0;
  const { ask } = await world(t, {
    registry: (request, response) => {
      most = Math.max(most, ++running);
      setTimeout(() => {
        running--;
        json(200, ARIN_AUTNUM)(request, response);
      }, 20);
    },
  });
  const asn: WhoisTarget = { kind: 'asn', asn: 15_169 };
  await Promise.all(Array.from({ length: 20 }, () => ask(asn)));
  t.equal(most, 4);
});
