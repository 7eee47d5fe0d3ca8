import t from 'tap';
import { answerTo, scriptedServer } from '../dns/testing/scripted-server.js';
import { startUpstream, type Answer } from '../egress/testing/loopback-world.js';
import { acceptingTarget, closedPort } from '../probe/testing/tcp-targets.js';
import { DnsServer } from '../testing/dns-server.js';
import { runServer, type TestServer } from '../testing/running-server.js';
import { TEST_IDENTITY } from '../testing/tls-identity.js';
import { WhoisServer, type WhoisReply } from '../whois/port43/testing/whois-server.js';
import { REGISTRAR_DOMAIN } from '../whois/rdap/testing/rdap-samples.js';
import { newCustomer, type Customer } from './testing/callers.js';

const RDAP_HOST = 'rdap.test-upstream.example.com';
const ROOT = 'whois.test-root.example.com';
const { port: openPort } = await acceptingTarget(t);

/** A call that queries upstream servers, and its price. */
type Call = readonly [path: string, credits: number, body?: unknown];

/** Calls with a name. */
const named = (name: string): readonly Call[] => [
  [`/api/ip/${name}`, 1],
  [`/api/ip/${name}/sources`, 2],
  [`/api/dns/${name}`, 1],
  [`/api/dns/${name}/MX`, 1],
  [`/api/tcping/${name}:${openPort}?count=3`, 3],
];

/** Calls as a customer. Returns status and code: `200 0`. */
async function ask(server: TestServer, { headers }: Customer, [path, , body]: Call): Promise<string> {
  const answer = await (body === undefined ? server.get(path, headers) : server.post(path, body, headers));
  return `${answer.status} ${(answer.body as { code: number }).code}`;
}

/** Makes each call as a new customer after one paid call. Credits and usage must not change. */
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

/** Failures of name servers, by the first label of the name. */
const NAME_SERVER: Readonly<Record<string, (query: Buffer) => Buffer | undefined>> = {
  silent: () => undefined,
  servfail: (query) => answerTo(query, { flags: 0x8182 }),
  refused: (query) => answerTo(query, { flags: 0x8185 }),
  garbage: (query) => Buffer.concat([query.subarray(0, 2), Buffer.alloc(40, 0xff)]),
  otherwise: (query) => answerTo(Buffer.concat([Buffer.of(query[0]! ^ 0xff), query.subarray(1)])),
};

/** Failures of registries, by the first label of the name, over HTTP and on port 43. */
const REGISTRIES: Readonly<Record<string, readonly [Answer, WhoisReply]>> = {
  broken: [(_, response) => response.writeHead(500).end(), (socket) => void socket.destroy()],
  crowded: [(_, response) => response.writeHead(429).end(), '% Quota exceeded\r\n'],
  garbage: [(_, response) => response.end(Buffer.alloc(500, 0xff)), Buffer.alloc(500)],
  cut: [(request) => request.socket.destroy(), (socket) => void socket.resetAndDestroy()],
};

const rdap = await startUpstream(t, (request, response) => {
  const label = /^\/domain\/(\w+)/.exec(request.url ?? '')?.[1] ?? '';
  const [answer] = REGISTRIES[label] ?? [];
  if (answer === undefined) response.end(JSON.stringify({ ...REGISTRAR_DOMAIN, ldhName: `${label}.com` }));
  else answer(request, response);
});
const whois = await WhoisServer.start('127.0.0.1', 0, {
  com: `whois: ${ROOT}\r\n`,
  ...Object.fromEntries(Object.entries(REGISTRIES).map(([label, [, reply]]) => [`${label}.com`, reply])),
});
t.teardown(() => whois.close());
/** Answers all names except those above. */
const nameServer = await scriptedServer(t, (query, send) => {
  const label = query.toString('latin1', 13, 13 + query[12]!).toLowerCase();
  const answer = NAME_SERVER[label] ?? ((asked) => answerTo(asked, { ip: '127.0.0.1' }));
  const bytes = answer(query);
  if (bytes !== undefined) send(bytes);
});
const rdapDir = t.testdir({
  'dns.json': JSON.stringify({ services: [[['com'], [`https://${RDAP_HOST}:${rdap.port}/`]]] }),
});
const server = await runServer(t, {
  ...{ dnsServers: [nameServer], rdapDirs: [rdapDir] },
  upstreams: {
    ...{ whoisRoot: ROOT, whoisPort: whois.port, dohResolvers: [] },
    extraAuthorities: TEST_IDENTITY.authority,
  },
});
const withoutNameServer = await server.another({ dnsServers: [`127.0.0.1:${await closedPort()}`] });

t.test('decision 11: failing upstreams are 502, and cost no credits, day or usage', async () => {
  const names = Object.keys(NAME_SERVER).flatMap((label) => named(`${label}.example.com`));
  const registered = Object.keys(REGISTRIES).map((label): Call => [`/api/whois/${label}.com`, 1]);
  await Promise.all([
    costNothing(server, [...names, ...registered]),
    costNothing(withoutNameServer, named('a.example.com')),
  ]);
});

t.test('decision 6: a successful call costs its price and counts as one call of the day', async (t) => {
  const calls: readonly Call[] = [
    ...named('known.example.com'),
    ['/api/dns/8.8.8.8/PTR', 1],
    ['/api/ip/batch', 5, { ips: ['other.example.com', '1.1.1.1'] }],
    ['/api/whois/known.com', 1],
  ];
  for (const call of calls) {
    const customer = await newCustomer(server, 'free');
    const [path, credits] = call;
    t.equal(await ask(server, customer, call), '200 0', path);
    t.equal(await customer.credits(), 1000 - credits, path);
    t.equal(await customer.usedToday(), 1, path);
  }
});

t.test('decision 21: a batch in which all names fail is a success with errors and costs 5', async (t) => {
  const customer = await newCustomer(server, 'free');
  t.equal(await ask(server, customer, ['/api/ip/batch', 5, { ips: ['servfail.example.com'] }]), '200 0');
  t.equal(await customer.credits(), 995);
});

t.test(
  'decision 28: NXDOMAIN is an answer: for all types 404 without cost, for one type a success',
  async (t) => {
    const dns = await DnsServer.start({});
    t.teardown(() => dns.close());
    const nowhere = await server.another({ dnsServers: [dns.address] });
    const expected: readonly (readonly [path: string, code: string, credits: number])[] = [
      ['/api/dns/a.example.com', '200 404', 0],
      ['/api/dns/a.example.com/A', '200 0', 1],
      ['/api/ip/a.example.com', '200 404', 0],
      ['/api/ip/a.example.com/sources', '200 404', 0],
      ['/api/tcping/a.example.com', '200 404', 0],
    ];
    for (const [path, code, credits] of expected) {
      const customer = await newCustomer(nowhere, 'free');
      t.equal(await ask(nowhere, customer, [path, credits]), code, path);
      t.equal(await customer.credits(), 1000 - credits, path);
    }
  },
);
