import { writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { listen, startUpstream } from '../egress/testing/loopback-world.js';
import { DohServer } from '../global-dns/testing/doh-server.js';
import { DnsServer } from '../testing/dns-server.js';
import {
  HOSTILE_NAMES,
  HOSTILE_SPELLINGS,
  inTurn,
  NO_TARGETS,
  PRIVATE_ADDRESSES,
} from '../testing/hostile-targets.js';
import { runServer } from '../testing/running-server.js';
import { TEST_IDENTITY } from '../testing/tls-identity.js';
import { WhoisServer } from '../whois/port43/testing/whois-server.js';
import { REGISTRAR_DOMAIN } from '../whois/rdap/testing/rdap-samples.js';
import { BEHIND_PROXY, from, newCustomer } from './testing/callers.js';

// 127.0.0.1 represents the internet; 127.0.0.2 and ::1, denied by the operator, represent a private network.
const RDAP = 'rdap.test-upstream.example.com';
const ROOT = 'whois.test-root.example.com';
const REBINDING = 'rebinding.test-upstream.example.com';
const REBINDING_DOH = 'rebinding-doh.test-upstream.example.com';
const INSIDE = 'inside.test-upstream.example.com';
const TEN = 'ten.test-upstream.example.com';
const CROWD = 'crowd.test-upstream.example.com';
const MIXED = 'mixed.test-upstream.example.com';
// A lookup asks for A, then for AAAA; absence would be kept.
const turns = () => inTurn([['127.0.0.1'], ['fc00::1'], ['127.0.0.2'], ['fc00::1']]);

/** Requests to the RDAP server with their headers. */
const asked: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = [];
const redirects = new Map<string, string>();
const rdap = await startUpstream(t, (request: IncomingMessage, response: ServerResponse) => {
  const path = request.url ?? '';
  asked.push({ path, headers: request.headers });
  const name = path.split('/').at(-1)!;
  const location = redirects.get(name);
  if (location !== undefined) response.writeHead(302, { location, 'set-cookie': 'a=b' }).end();
  else if (path.startsWith('/domain/'))
    response.end(JSON.stringify({ ...REGISTRAR_DOMAIN, ldhName: name.split('?')[0] }));
  else response.writeHead(404).end('{"errorCode":404}');
});
const port43 = await WhoisServer.start('127.0.0.1', 0, { '*': '% This query returned 0 objects.\r\n' });
const doh = await DohServer.start({});
const target = await listen(t, createServer());
// Hangs up on everybody, at all addresses.
const crowd = await listen(
  t,
  createServer((socket) => socket.destroy()),
  { host: '0.0.0.0' },
);
const ports = [rdap.port, port43.port, doh.port, target.port];
const traps = await Promise.all(
  ['127.0.0.2', '::1'].flatMap((host) => ports.map((port) => listen(t, createServer(), { host, port }))),
);
const dns = await DnsServer.start({
  ...HOSTILE_NAMES,
  ...{ [RDAP]: { addresses: ['127.0.0.1'] }, [ROOT]: { addresses: ['127.0.0.1'] } },
  ...{ [REBINDING]: { addresses: turns(), ttl: 0 }, [REBINDING_DOH]: { addresses: turns(), ttl: 0 } },
  ...{ [INSIDE]: { addresses: ['127.0.0.2', '::1'] }, [TEN]: { addresses: ['10.0.0.1', 'fc00::1'] } },
  [CROWD]: { addresses: Array.from({ length: 60 }, (_, n) => `127.0.1.${n + 1}`) },
  [MIXED]: { addresses: ['127.0.0.2', '127.0.0.1', '::1', '169.254.169.254'] },
});
t.teardown(() => Promise.all([dns.close(), port43.close(), doh.close()]));

const rdapDir = t.testdir();
const servers = (host: string) => [`https://${host}:${rdap.port}/`];
writeFileSync(
  join(rdapDir, 'dns.json'),
  JSON.stringify({
    services: [
      [['com'], servers(RDAP)],
      [['net'], servers(REBINDING)],
      [['org'], servers(INSIDE)],
      [['info'], servers(MIXED)],
      [['biz'], [`https://${CROWD}:${crowd.port}/`]],
    ],
  }),
);
const resolver = (host: string, addresses: readonly string[] = []) => ({
  ...{ name: 'Resolver', url: `https://${host}:${doh.port}/dns-query`, addresses },
});
const written: string[] = [];
const server = await runServer(t, {
  ...BEHIND_PROXY,
  ...{ dnsServers: [dns.address], egressDeny: ['127.0.0.2/32', '::1/128'], rdapDirs: [rdapDir] },
  upstreams: {
    ...{ whoisRoot: ROOT, whoisPort: port43.port, extraAuthorities: TEST_IDENTITY.authority },
    dohResolvers: [
      ...[resolver(INSIDE), resolver(TEN), resolver('127.0.0.2'), resolver('[::1]')],
      ...[resolver('nowhere.test-upstream.example.com', ['127.0.0.2', '10.0.0.1', '::1'])],
      ...[resolver(REBINDING_DOH), resolver(MIXED)],
    ],
  },
  log: pino(
    { level: 'trace' },
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        written.push(chunk.toString());
        done();
      },
    }),
  ),
});
let callerCount = 0;
const caller = () => `9.0.${(++callerCount >> 8) & 255}.${callerCount & 255}`;
const get = (path: string) => server.get(path, from(caller()));
const codeOf = async (path: string) => ((await get(path)).body as { code: number }).code;

/** Checks that no internal server was contacted and only expected names were queried. */
function noTrapWasContacted(t: Test): void {
  t.strictSame(
    traps.map(({ connectionCount }) => connectionCount()),
    traps.map(() => 0),
    'no trap was contacted',
  );
  const strange = /(^|[. ])(localhost|internal|arpa|lan|\d+|0x\w*)$|[^ a-zA-Z0-9.-]/;
  t.strictSame(
    dns.asked.filter((question) => strange.test(question)),
    [],
  );
}

/** Destinations of hostile referrals: hosts or URLs. */
const INNER_URLS = (port: number): readonly string[] => [
  ...[`https://127.0.0.2:${port}/`, `https://[::1]:${port}/`, `https://[::ffff:127.0.0.2]:${port}/`],
  ...[`https://2130706434:${port}/`, `https://0x7f000002:${port}/`, `https://127.2:${port}/`],
  ...[`https://0177.0.0.2:${port}/`, `https://１２７.0.0.2:${port}/`, `https://127。0。0。2:${port}/`],
  ...[`//127.0.0.2:${port}/`, `\\\\127.0.0.2:${port}\\`, `https:127.0.0.2:${port}`, `///127.0.0.2:${port}/`],
  ...[`https://${INSIDE}:${port}/`, `https://${TEN}:${port}/`, `https://${TEN}/`],
  ...['https://10.0.0.1/', 'https://169.254.169.254/latest/meta-data/', 'https://[fc00::1]/'],
  ...['https://[64:ff9b::7f00:2]/', 'https://[2002:7f00:2::]/', 'https://192.88.99.1/', 'https://0/'],
  ...[`http://127.0.0.2:${port}/`, `http://${INSIDE}/`, 'http://169.254.169.254/latest/meta-data/'],
  ...['https://localhost/', 'https://metadata.google.internal/', 'https://router.lan/', 'https://x.onion/'],
  ...['https://1.0.0.10.in-addr.arpa/', 'https://8.8.8.8.in-addr.arpa/', 'https://d.f.ip6.arpa/'],
  ...['file:///etc/passwd', 'gopher://127.0.0.2:6379/_INFO', 'data:application/json,{}', 'ftp://127.0.0.2/'],
  ...[`https://user:pw@${RDAP}:${port}/domain/a.com`, `https://${RDAP}@127.0.0.2:${port}/`],
  ...[
    `https://${RDAP}:22/`,
    `https://${RDAP}:6379/`,
    `https://${RDAP}:${target.port}/`,
    `https://${RDAP}:0/`,
  ],
  ...[`https://${RDAP}:99999/`, 'https://', 'https:///', 'http://[', '\u0000', 'https://%31%32%37.0.0.2/'],
];

t.test('decision 33: an RDAP redirect into a private network is not followed', async (t) => {
  const rows = INNER_URLS(rdap.port);
  const codes = await Promise.all(
    rows.map(async (location, row) => {
      redirects.set(
        `row-${row}.com`,
        encodeURI(location).replaceAll('%25', '%').replaceAll('%5B', '[').replaceAll('%5D', ']'),
      );
      return { location, code: await codeOf(`/api/whois/row-${row}.com`) };
    }),
  );
  t.strictSame(
    codes.filter(({ code }) => code !== 502),
    [],
  );
  t.comment(`${rows.length} redirects`);
  redirects.set('within.com', '/domain/within.com?again');
  t.equal(await codeOf('/api/whois/within.com'), 0, 'and other redirects are followed');
  t.ok(rows.length > 40);
  noTrapWasContacted(t);
});

t.test('decision 33: Whois referrals into a private network are not followed', async (t) => {
  const hosts = INNER_URLS(port43.port).flatMap((url) => [url, url.replace(/^https?:\/\//, 'whois://')]);
  const rows = [
    ...new Set([...hosts, ...hosts.map((url) => url.replace(/^\w+:\/\//, '').replace(/\/$/, ''))]),
  ];
  const codes = await Promise.all(
    rows.map(async (host, row) => {
      port43.replies.set(`tld-${row}`, `domain: TLD-${row}\r\nwhois: ${host}\r\nstatus: ACTIVE\r\n`);
      return { host, code: await codeOf(`/api/whois/a.tld-${row}`) };
    }),
  );
  // 404 when the name is not a server name, so no registry is known.
  t.strictSame(
    codes.filter(({ code }) => code !== 404 && code !== 502),
    [],
  );
  t.comment(`${rows.length} referrals`);
  noTrapWasContacted(t);
});

t.test('decision 33: the addresses of a name are checked on every call and used unchanged', async (t) => {
  const { headers } = await newCustomer(server, 'pro');
  for (let turn = 0; turn < 3; turn++) {
    t.equal(await codeOf(`/api/whois/first-${turn}.net`), 0, 'RDAP, at the public address');
    t.equal(
      await codeOf(`/api/whois/second-${turn}.net`),
      502,
      'RDAP, elsewhere, though a connection is open',
    );
  }
  t.equal(await codeOf('/api/whois/a.org'), 502);
  t.equal(await codeOf('/api/whois/a.info'), 0, 'of several addresses the public one');
  for (let turn = 0; turn < 3; turn++) {
    const path = `/api/tcping/${REBINDING}:${target.port}?count=1`;
    t.match((await server.get(path, headers)).body, { code: 0, data: { ip: '127.0.0.1', recv: 1 } });
    t.match((await server.get(path, headers)).body, { code: 403 });
  }
  const mixed = await server.get(`/api/tcping/${MIXED}:${target.port}?count=1`, headers);
  t.match(mixed.body, { code: 0, data: { ip: '127.0.0.1' } });
  noTrapWasContacted(t);
});

t.test('decisions 30 and 33: a resolver with a private address is not queried', async (t) => {
  const errorOf = async (provider: number) =>
    ((await get(`/dns_global/api/query?domain=a.com&provider=${provider}`)).body as { error?: string }).error;
  for (const provider of [0, 1, 2, 3, 4]) t.equal(await errorOf(provider), 'Resolver cannot be reached');
  for (let turn = 0; turn < 3; turn++) {
    t.equal(await errorOf(5), undefined);
    t.equal(await errorOf(5), 'Resolver cannot be reached', 'though a connection is open');
  }
  t.equal(await errorOf(6), undefined, 'of several addresses the public one');
  doh.manner = 'redirects';
  t.equal(await errorOf(6), 'Resolver returned an error', 'and one that redirects is not followed');
  doh.manner = 'answers';
  noTrapWasContacted(t);
});

t.test('decision 16: only validated names are sent to registries and resolvers', async (t) => {
  for (const log of [asked, port43.asked, doh.asked]) log.length = 0;
  const texts = [...NO_TARGETS, ...PRIVATE_ADDRESSES, ...Object.keys(HOSTILE_NAMES), ...HOSTILE_SPELLINGS];
  for (const text of texts) {
    await get(`/api/whois/${encodeURIComponent(text)}`);
    await get(`/dns_global/api/query?provider=6&domain=${encodeURIComponent(text)}`);
  }
  t.strictSame([...new Set(asked.map(({ path }) => path))], ['/domain/example.com']);
  const own = new Set(Object.keys(HOSTILE_NAMES));
  t.ok(doh.asked.length > 20);
  t.strictSame(
    doh.asked.map(({ name }) => name).filter((name) => !own.has(name)),
    [],
  );
  t.strictSame(port43.asked, []);
  noTrapWasContacted(t);
});

t.test('one call causes few upstream queries and connections', async (t) => {
  const { headers } = await newCustomer(server, 'pro');
  const most: readonly (readonly [string, number])[] = [
    ['/api/ip/few-1.example.com', 2],
    ['/api/dns/few-2.example.com', 9],
    ['/api/dns/few-3.example.com/MX', 1],
    ['/api/whois/few-4.com', 2],
    [`/api/rdns?ips=${Array.from({ length: 200 }, (_, n) => `9.9.9.${n}`).join()}`, 6],
    ['/dns_global/api/query?provider=6&domain=few-5.example.com', 2],
  ];
  for (const [path, count] of most) {
    dns.asked.length = 0;
    t.equal((await server.get(path, headers)).status < 500, true, path);
    t.ok(dns.asked.length <= count, `${path}: ${dns.asked.length} of ${count}`);
  }
  await server.get('/api/whois/a.biz', headers);
  t.equal(crowd.connectionCount(), 4, 'of a host with 60 addresses');
  const path = `/api/tcping/${CROWD}:${crowd.port}?count=2`;
  t.match((await server.get(path, headers)).body, { code: 0, data: { recv: 2 } });
  t.equal(crowd.connectionCount(), 6);
});

t.test('nothing but the target is sent upstream', async (t) => {
  asked.length = 0;
  const secrets = {
    Cookie: 'session=secret',
    Referer: 'https://secret.example.com/',
    'User-Agent': 'secret',
  };
  const { headers } = await newCustomer(server, 'pro');
  const path = '/api/whois/headers.com?token=secret&secret=1';
  t.match(
    (await server.get(path, { ...headers, ...secrets, 'X-Request-Id': 'secret', 'X-Secret': '1' })).body,
    {
      code: 0,
    },
  );
  const [{ path: sent, headers: sentHeaders } = { path: '', headers: {} }, ...more] = asked;
  t.equal(sent, '/domain/headers.com');
  t.strictSame(more, []);
  t.strictSame(
    Object.keys(sentHeaders)
      .filter((name) => !name.startsWith(':'))
      .sort(),
    ['accept', 'accept-encoding'],
  );
  t.notMatch(JSON.stringify(sentHeaders), /secret|9\.0\./);
});

t.test('failures do not reveal internal details', async (t) => {
  const { headers } = await newCustomer(server, 'pro');
  redirects.set('leak.com', 'https://10.0.0.1/secret');
  for (const path of [
    ...['/api/whois/leak.com', '/api/whois/a.org', '/api/ip/broken.hostile.example.com'],
    ...['/api/dns/broken.hostile.example.com', '/api/dns/broken.hostile.example.com/MX'],
    ...['/api/tcping/broken.hostile.example.com', '/api/tcping/ten.hostile.example.com'],
    ...[0, 1, 2, 3, 4].map((provider) => `/dns_global/api/query?domain=a.com&provider=${provider}`),
  ]) {
    const { status, body, text } = await server.get(path, headers);
    t.notMatch(text, /127\.0|10\.0\.0\.1|::1|fc00|\.test-|\.js\b|node:|Error|\bat /, `${path}: ${text}`);
    t.ok(status === 200 || status === 403 || status === 502, `${path}: ${status}`);
    t.match(body, path.startsWith('/dns_global') ? { error: String } : { msg: String });
  }
});

t.test('every log entry is one line, for any target', async (t) => {
  for (const text of ['a\n{"level":60}', 'a\r\nforged', '\u001b[2J\u001b]0;x\u0007', '\u2028', '\0', '"},{"'])
    for (const path of ['ip', 'whois', 'dns']) await get(`/api/${path}/${encodeURIComponent(text)}`);
  const lines = written.join('').trimEnd().split('\n');
  for (const line of lines) t.type(JSON.parse(line), 'object');
  t.notMatch(written.join(''), /[\u0000-\u0009\u000b-\u001f\u007f\u2028]/);
  t.notMatch(written.join(''), /"code":500|"level":60/);
});
