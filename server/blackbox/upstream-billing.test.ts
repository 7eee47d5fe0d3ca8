import { mkdirSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { answerTo, scriptedServer } from '../dns/testing/scripted-server.js';
import { startUpstream, type Answer } from '../egress/testing/loopback-world.js';
import { acceptingTarget, closedPort } from '../probe/testing/tcp-targets.js';
import { DnsServer } from '../testing/dns-server.js';
import { runServer, type TestServer } from '../testing/running-server.js';
import { TEST_IDENTITY } from '../testing/tls-identity.js';
import { RIPE_NETWORK } from '../whois/rdap/testing/rdap-samples.js';
import { newCustomer, type Customer } from './testing/callers.js';

const RDAP_HOST = 'rdap.test-upstream.example.com';
const ROOT = 'whois.test-root.example.com';
const first = await runServer(t);
const { port: openPort } = await acceptingTarget(t);

/** A call that asks upstreams, and what it costs where they answer. */
type Call = readonly [path: string, credits: number, body?: unknown];

const NAMED: readonly Call[] = [
  ['/api/ip/a.example.com', 1],
  ['/api/ip/b.example.com/sources', 2],
  ['/api/dns/c.example.com', 1],
  ['/api/dns/d.example.com/MX', 1],
  ['/api/dns/8.8.8.8/PTR', 1],
  [`/api/tcping/e.example.com:${openPort}?count=3`, 3],
];

/** Asks for a customer: `200 0` and so on. */
async function ask(server: TestServer, { headers }: Customer, [path, , body]: Call): Promise<string> {
  const answer = await (body === undefined ? server.get(path, headers) : server.post(path, body, headers));
  return `${answer.status} ${(answer.body as { code: number }).code}`;
}

/** Each call by a customer of its own, who has made one before: credits and usage are as they were then. */
async function costNothing(server: TestServer, calls: readonly Call[]): Promise<void> {
  await Promise.all(
    calls.map(async (call) => {
      const customer = await newCustomer(server, 'free');
      await server.get('/api/ip/1.1.1.1', customer.headers);
      const [path] = call;
      t.equal(await ask(server, customer, call), '502 502', path);
      t.equal(await customer.credits(), 999, path);
      t.equal(await customer.usedToday(), 1, path);
    }),
  );
}

const garbage = (query: Buffer): Buffer => Buffer.concat([query.subarray(0, 2), Buffer.alloc(40, 0xff)]);

/** What name servers do, but answer. */
const NAME_SERVERS: Readonly<Record<string, () => Promise<string>>> = {
  'say nothing': () => scriptedServer(t, () => undefined),
  'are not there': async () => `127.0.0.1:${await closedPort()}`,
  'say SERVFAIL': () =>
    scriptedServer(t, (query, send) => {
      send(answerTo(query, { flags: 0x8182 }));
    }),
  'say REFUSED': () =>
    scriptedServer(t, (query, send) => {
      send(answerTo(query, { flags: 0x8185 }));
    }),
  'send garbage': () =>
    scriptedServer(t, (query, send) => {
      send(garbage(query));
    }),
  'answer other questions': () =>
    scriptedServer(t, (query, send) => {
      send(answerTo(Buffer.concat([Buffer.of(query[0]! ^ 0xff), query.subarray(1)])));
    }),
};

/** What registries do, but answer: over HTTP, and on port 43. */
const REGISTRIES: Readonly<Record<string, readonly [Answer, (socket: Socket) => void]>> = {
  'say 500': [(_, response) => response.writeHead(500).end(), (socket) => socket.destroy()],
  'say 429': [(_, response) => response.writeHead(429).end(), (socket) => socket.end('% Quota exceeded\r\n')],
  'send garbage': [
    (_, response) => response.end(Buffer.alloc(500, 0xff)),
    (socket) => socket.end(Buffer.alloc(500, 0)),
  ],
  'break off': [(request) => request.socket.destroy(), (socket) => socket.resetAndDestroy()],
};

/** A server whose registries are those. */
async function withRegistries(answer: Answer, onSocket: (socket: Socket) => void): Promise<TestServer> {
  const rdap = await startUpstream(t, answer);
  const dns = await DnsServer.start({
    [RDAP_HOST]: { addresses: ['127.0.0.1'] },
    [ROOT]: { addresses: ['127.0.0.1'] },
  });
  t.teardown(() => dns.close());
  const { port: whoisPort } = await acceptingTarget(t, { onSocket });
  return await first.another({
    dnsServers: [dns.address],
    rdapDirs: [bootstrapFor(rdap.port)],
    upstreams: {
      ...{ whoisRoot: ROOT, whoisPort, dohResolvers: [] },
      extraAuthorities: TEST_IDENTITY.authority,
    },
  });
}

function bootstrapFor(port: number): string {
  const dir = join(first.outputDir, `rdap-${port}`);
  mkdirSync(dir);
  const urls = [`https://${RDAP_HOST}:${port}/`];
  for (const [name, key] of [
    ['dns', 'com'],
    ['ipv4', '193.0.0.0/8'],
    ['ipv6', '2001:600::/23'],
    ['asn', '1-70000'],
  ] as const)
    writeFileSync(join(dir, `${name}.json`), JSON.stringify({ services: [[[key], urls]] }));
  return dir;
}

/** All kinds of failure side by side: most of them are waiting. */
const failures = [
  ...Object.entries(NAME_SERVERS).map(([what, start]) => ({
    what: `name servers that ${what}`,
    run: async () => {
      await costNothing(await first.another({ dnsServers: [await start()] }), NAMED);
    },
  })),
  ...Object.entries(REGISTRIES).map(([what, [answer, onSocket]], i) => ({
    what: `registries that ${what}`,
    run: async () => {
      const calls: Call[] = [`example-${i}.com`, `193.0.6.${i}`, `AS1516${i}`].map((target) => [
        `/api/whois/${target}`,
        1,
      ]);
      await costNothing(await withRegistries(answer, onSocket), calls);
    },
  })),
];

t.test('R11: upstreams that fail are 502, and cost neither credits nor the day nor usage', async (t) => {
  await Promise.all(failures.map(({ run }) => run()));
  t.ok(failures.length > 0);
});

t.test('R6: what succeeds costs its price, and is one call of the day', async (t) => {
  const known = await scriptedServer(t, (query, send) => {
    send(answerTo(query, { ip: '127.0.0.1' }));
  });
  const server = await first.another({ dnsServers: [known] });
  const registries = await withRegistries(
    (_, response) => response.end(JSON.stringify(RIPE_NETWORK)),
    (socket) => socket.end(),
  );
  const priced: readonly (readonly [TestServer, Call])[] = [
    ...NAMED.map((call) => [server, call] as const),
    [server, ['/api/ip/batch', 5, { ips: ['f.example.com', '1.1.1.1'] }]],
    [registries, ['/api/whois/193.0.6.139', 1]],
  ];
  for (const [asked, call] of priced) {
    const customer = await newCustomer(asked, 'free');
    const [path, credits] = call;
    t.equal(await ask(asked, customer, call), '200 0', path);
    t.equal(await customer.credits(), 1000 - credits, path);
    t.equal(await customer.usedToday(), 1, path);
  }
});

t.test('R21: a batch of names that nobody answers for is a success with errors, and costs 5', async (t) => {
  const dead = await scriptedServer(t, (query, send) => {
    send(answerTo(query, { flags: 0x8182 }));
  });
  const server = await first.another({ dnsServers: [dead] });
  const customer = await newCustomer(server, 'free');
  t.equal(await ask(server, customer, ['/api/ip/batch', 5, { ips: ['a.example.com'] }]), '200 0');
  t.equal(await customer.credits(), 995);
});

t.test('R28: NXDOMAIN is an answer: of all types 404, which costs nothing, of one type a success', async (t) => {
  const dns = await DnsServer.start({});
  t.teardown(() => dns.close());
  const server = await first.another({ dnsServers: [dns.address] });
  const expected: readonly (readonly [Call, string])[] = [
    [['/api/dns/a.example.com', 0], '200 404'],
    [['/api/dns/a.example.com/A', 1], '200 0'],
    [['/api/ip/a.example.com', 0], '200 404'],
    [['/api/ip/a.example.com/sources', 0], '200 404'],
    [['/api/tcping/a.example.com', 0], '200 404'],
  ];
  for (const [call, code] of expected) {
    const customer = await newCustomer(server, 'free');
    t.equal(await ask(server, customer, call), code, call[0]);
    t.equal(await customer.credits(), 1000 - call[1], call[0]);
  }
});
