import t, { type Test } from 'tap';
import { deadlineIn } from '../deadline.js';
import { clientOf } from '../egress/testing/loopback-world.js';
import { UpstreamError } from '../upstream-error.js';
import { GlobalDns } from './global-dns.js';
import { DohServer, type DohManner } from './testing/doh-server.js';
import { startWorker, WORKER_SECRET } from './testing/worker-server.js';

const A = { type: 'A', name: 'a.example.com', ttl: 60, data: '9.9.9.9' } as const;

async function startDoh(t: Test): Promise<DohServer> {
  const server = await DohServer.start({ 'a.example.com': [A] });
  t.teardown(() => server.close());
  return server;
}

async function globalDnsOf(
  t: Test,
  server: DohServer,
  { workerUrl, now }: { workerUrl?: string; now?: () => number } = {},
): Promise<GlobalDns> {
  return new GlobalDns({
    http: await clientOf(t, { 'worker.test-upstream.example.com': ['127.0.0.1'] }),
    upstreams: {
      dohResolvers: [server.resolver()],
      ...(workerUrl === undefined ? {} : { dnsWorker: { url: workerUrl, secret: WORKER_SECRET } }),
    },
    ...(now === undefined ? {} : { breaker: { failures: 3, restMs: 1000, now } }),
  });
}

const QUESTION = { name: 'a.example.com', type: 'A', subnet: '202.96.209.0/24' } as const;
const ask = (dns: GlobalDns, question: Partial<typeof QUESTION> = {}, ms = 4000) =>
  dns.ask(dns.resolvers[0]!, { ...QUESTION, ...question }, deadlineIn(ms));

t.test(
  'decision 30: a question is sent over HTTP/2 in wire format with the subnet, and the reply carries its scope',
  async (t) => {
    const server = await startDoh(t);
    const reply = await ask(await globalDnsOf(t, server));
    t.match(reply, { rcode: 'NOERROR', source: 'doh', clientSubnetScope: 24 });
    t.match(reply.records, [{ type: 'A', name: 'a.example.com', ttl: 60, value: '9.9.9.9' }]);
    t.match(server.asked, [
      {
        id: 0,
        name: 'a.example.com',
        type: 'A',
        udpPayloadSize: 1232,
        isRecursionDesired: true,
        subnet: { family: 1, ip: '202.96.209.0', sourcePrefixLength: 24 },
        httpVersion: '2.0',
        method: 'POST',
        contentType: 'application/dns-message',
      },
    ]);
  },
);

t.test('decision 30: without a vantage point the resolver is asked to forward no subnet', async (t) => {
  const server = await startDoh(t);
  const dns = await globalDnsOf(t, server);
  await dns.ask(dns.resolvers[0]!, { ...QUESTION, subnet: undefined }, deadlineIn(4000));
  t.match(server.asked[0]?.subnet, { family: 1, ip: '0.0.0.0', sourcePrefixLength: 0 });
});

t.test('an IPv6 subnet is sent as IPv6', async (t) => {
  const server = await startDoh(t);
  const dns = await globalDnsOf(t, server);
  const reply = await dns.ask(
    dns.resolvers[0]!,
    { ...QUESTION, subnet: '2001:4860:4860::/56' },
    deadlineIn(4000),
  );
  t.equal(reply.clientSubnetScope, 56);
  t.match(server.asked[0]?.subnet, { family: 2, ip: '2001:4860:4860::', sourcePrefixLength: 56 });
});

t.test('NXDOMAIN, SERVFAIL and extended rcodes are replies', async (t) => {
  const server = await startDoh(t);
  const dns = await globalDnsOf(t, server);
  const missing = await dns.ask(
    dns.resolvers[0]!,
    { ...QUESTION, name: 'none.example.com' },
    deadlineIn(4000),
  );
  t.match(missing, { rcode: 'NXDOMAIN', records: [] });
  server.manner = 'servfail';
  t.match(await ask(dns), { rcode: 'SERVFAIL' });
  server.manner = 'badcookie';
  t.match(await ask(dns), { rcode: 'BADCOOKIE' });
});

t.test('anything but a DNS reply throws UpstreamError', async (t) => {
  const server = await startDoh(t);
  const dns = await globalDnsOf(t, server, { now: () => 0 });
  const expected: [DohManner, string][] = [
    ['garbage', 'malformed'],
    ['html', 'malformed'],
    ['another question', 'malformed'],
    ['oversized', 'malformed'],
    ['status 500', 'failed'],
    ['status 429', 'rate-limited'],
    ['redirects', 'failed'],
  ];
  for (const [manner, reason] of expected) {
    server.manner = manner;
    await t.rejects(ask(dns), { name: 'UpstreamError', reason }, manner);
    server.manner = 'answers';
    await ask(dns);
  }
});

t.test('a resolver that stalls takes no longer than the deadline', async (t) => {
  const server = await startDoh(t);
  const dns = await globalDnsOf(t, server);
  server.manner = 'stalls';
  const began = performance.now();
  await t.rejects(ask(dns, {}, 300), { name: 'UpstreamError', reason: 'timeout' });
  const tookMs = performance.now() - began;
  t.ok(tookMs > 250 && tookMs < 2000, `${tookMs} ms`);
});

t.test('fifty questions at once share one connection', async (t) => {
  const server = await startDoh(t);
  const dns = await globalDnsOf(t, server);
  const replies = await Promise.all(Array.from({ length: 50 }, () => ask(dns)));
  t.ok(replies.every(({ records }) => records.length === 1));
  t.equal(server.asked.length, 50);
  t.equal(server.connectionCount, 1);
});

t.test('a resolver that keeps failing is not queried for a while, then tried once', async (t) => {
  const server = await startDoh(t);
  let ms = 0;
  const dns = await globalDnsOf(t, server, { now: () => ms });
  server.manner = 'status 500';
  for (let i = 0; i < 3; i++) await t.rejects(ask(dns), { name: 'UpstreamError', reason: 'failed' });
  t.same([...dns.breakerStates()], [['Loopback', 'open']]);
  await t.rejects(ask(dns), { name: 'UpstreamError', reason: 'unreachable', message: /not retried yet/ });
  t.equal(server.asked.length, 3, 'no query sent');
  server.manner = 'answers';
  ms = 1000;
  t.same([...dns.breakerStates()], [['Loopback', 'half-open']]);
  t.match(await ask(dns), { rcode: 'NOERROR' });
  t.same([...dns.breakerStates()], [['Loopback', 'closed']]);
});

t.test('names with bad answers do not open the breaker of a resolver', async (t) => {
  const server = await startDoh(t);
  const dns = await globalDnsOf(t, server, { now: () => 0 });
  for (const manner of ['servfail', 'garbage', 'another question'] as const) {
    server.manner = manner;
    for (let i = 0; i < 5; i++) await ask(dns).catch((error: unknown) => t.type(error, UpstreamError));
  }
  t.same([...dns.breakerStates()], [['Loopback', 'closed']]);
});

t.test('decision 30: the worker is used first and reports where it ran', async (t) => {
  const server = await startDoh(t);
  const worker = await startWorker(t, { cf: { colo: 'FRA', country: 'DE', region: 'Hesse' } });
  const reply = await ask(await globalDnsOf(t, server, { workerUrl: worker.url }));
  t.match(reply, {
    source: 'worker',
    rcode: 'NOERROR',
    clientSubnetScope: 24,
    place: { colo: 'FRA', country: 'DE', location: 'Hesse' },
  });
  t.equal(server.asked.length, 1);
});

t.test('decision 30: any failure of the worker falls back to the resolver', async (t) => {
  const server = await startDoh(t);
  const worker = await startWorker(t);
  const dns = await globalDnsOf(t, server, { workerUrl: worker.url, now: () => 0 });
  const failures: ((request: Request) => Promise<Response>)[] = [
    () => Promise.resolve(new Response('', { status: 500 })),
    () => Promise.resolve(new Response('{}')),
    () => Promise.resolve(new Response('no JSON')),
    () => Promise.resolve(Response.json({ message: 'AAAA', colo: '', country: '', location: '' })),
    () => Promise.resolve(Response.json({}, { status: 401 })),
    () => Promise.resolve(new Response('x'.repeat(200_000))),
  ];
  for (const instead of failures) {
    worker.instead = instead;
    t.match(await ask(dns), { source: 'doh', rcode: 'NOERROR' }, String(instead));
    worker.instead = undefined;
    t.match(await ask(dns), { source: 'worker' });
  }
});

t.test(
  'a worker that keeps failing is not used for a while; failures of the resolver do not count',
  async (t) => {
    const server = await startDoh(t);
    const worker = await startWorker(t);
    let ms = 0;
    const dns = await globalDnsOf(t, server, { workerUrl: worker.url, now: () => ms });
    worker.instead = () => Promise.resolve(Response.json({}, { status: 502 }));
    for (let i = 0; i < 5; i++) t.match(await ask(dns), { source: 'doh' });
    t.equal(worker.askedCount(), 5);
    worker.instead = () => Promise.resolve(Response.json({}, { status: 500 }));
    for (let i = 0; i < 5; i++) t.match(await ask(dns), { source: 'doh' });
    t.equal(worker.askedCount(), 8, 'three more requests, then none');
    worker.instead = undefined;
    ms = 1000;
    t.match(await ask(dns), { source: 'worker' });
  },
);

t.test('a worker that stalls leaves time for the resolver', async (t) => {
  const server = await startDoh(t);
  const worker = await startWorker(t);
  worker.instead = () => new Promise(() => undefined);
  const dns = await globalDnsOf(t, server, { workerUrl: worker.url });
  const began = performance.now();
  t.match(await ask(dns, {}, 6000), { source: 'doh', rcode: 'NOERROR' });
  t.ok(performance.now() - began > 1900);
});
