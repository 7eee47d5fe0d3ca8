import t from 'tap';
import { serveZones, withoutNameServers } from '../dns/testing/zone-servers.js';
import { scriptedServer, answerTo } from '../dns/testing/scripted-server.js';
import { runServer } from '../testing/running-server.js';

const ZONE = `$ORIGIN zone.example.com.
$TTL 300
@ 300 SOA ns1 Host.Master 7 3600 600 86400 60
@ NS ns1
@ NS ns2.example.net.
@ MX 20 Mail
@ MX 10 mx.example.net.
@ TXT "one " "two" "\\195\\188"
@ A 192.0.2.10
@ A 192.0.2.9
@ AAAA 2001:db8::a
@ CAA 0 issue "ca.example.net"
@ SRV 1 2 443 web
@ TYPE65280 \\# 4 0a000001
ns1 A 127.0.0.1
alias CNAME chain
chain CNAME host
host A 192.0.2.1
dangling CNAME nowhere
loop CNAME pool
pool CNAME loop
*.wild A 192.0.2.77
xn--bcher-kva A 192.0.2.78
${Array.from({ length: 20 }, (_, i) => `big TXT "${String(i).padStart(2, '0')}${'x'.repeat(230)}"`).join('\n')}
`;
const REVERSE = `$ORIGIN 8.8.8.in-addr.arpa.
$TTL 300
@ SOA ns1.zone.example.com. host 7 3600 600 86400 60
@ NS ns1.zone.example.com.
8 PTR dns.zone.example.com.
`;

const skip = withoutNameServers();
/** Both kinds of DNS server, each with its own API server. */
async function servers() {
  const zones = await serveZones(t, { 'zone.example.com': ZONE, '8.8.8.in-addr.arpa': REVERSE });
  const server = await runServer(t, { dnsServers: [zones.recursive] });
  const direct = await server.another({ dnsServers: [zones.authoritative] });
  return { zones, both: [server, direct] as const };
}
const world = skip === false ? await servers() : undefined;

interface Data {
  readonly records: readonly { type: string; name: string; ttl: number; value: string; priority?: number }[];
}
const PROXY = { 'X-Forwarded-For': '9.9.9.9' };
/** Returns the data of an answer without TTLs, because a resolver counts them down. */
async function rows(which: 0 | 1, path: string): Promise<string[]> {
  const { status, body } = await world!.both[which].get(path, PROXY);
  const { code, data } = body as { code: number; data: Data };
  if (status !== 200 || code !== 0) return [`${status} ${code}`];
  return data.records.map(({ type, name, value, priority }) => [type, name, priority, value].join(' '));
}

t.test('decision 28: all records of a name, each once, in a stable order', { skip }, async (t) => {
  const all = [
    'A zone.example.com  192.0.2.10',
    'A zone.example.com  192.0.2.9',
    'AAAA zone.example.com  2001:db8::a',
    'NS zone.example.com  ns1.zone.example.com',
    'NS zone.example.com  ns2.example.net',
    'MX zone.example.com 10 mx.example.net',
    'MX zone.example.com 20 mail.zone.example.com',
    'TXT zone.example.com  one twoü',
    'SOA zone.example.com  ns1.zone.example.com host.master.zone.example.com',
    'SRV zone.example.com 1 2 443 web.zone.example.com',
    'CAA zone.example.com  0 issue "ca.example.net"',
  ];
  for (const which of [0, 1] as const) t.same(await rows(which, '/api/dns/Zone.Example.com.'), all);
  t.match(await world!.both[0].get('/api/dns/zone.example.com'), {
    body: { code: 0, data: { domain: 'zone.example.com' } },
  });
  for (const which of [0, 1] as const) {
    t.same(await rows(which, '/api/dns/alias.zone.example.com'), [
      'A host.zone.example.com  192.0.2.1',
      'CNAME alias.zone.example.com  chain.zone.example.com',
      'CNAME chain.zone.example.com  host.zone.example.com',
    ]);
  }
});

t.test('decision 28: NXDOMAIN is 404 for all types, and no records for one', { skip }, async (t) => {
  for (const which of [0, 1] as const) {
    t.same(await rows(which, '/api/dns/none.zone.example.com'), ['200 404']);
    t.same(await rows(which, '/api/dns/none.zone.example.com/A'), []);
    t.same(await rows(which, '/api/dns/host.zone.example.com/mx'), []);
    const dangling = ['CNAME dangling.zone.example.com  nowhere.zone.example.com'];
    t.same(await rows(which, '/api/dns/dangling.zone.example.com'), dangling);
  }
});

t.test(
  'decision 28: one type: the answer repeats query and type, and names the server',
  { skip },
  async (t) => {
    const { both, zones } = world!;
    t.match(await both[0].get('/api/dns/Zone.example.com/soa'), {
      body: {
        code: 0,
        data: {
          ...{ query: 'Zone.example.com', type: 'SOA', server: zones.recursive },
          records: [{ serial: 7, refresh: 3600, retry: 600, expire: 86_400, minimum_ttl: 60 }],
        },
      },
    });
    t.match(await both[0].get('/api/dns/8.8.8.8/ptr'), {
      body: {
        code: 0,
        data: {
          query: '8.8.8.8',
          records: [{ name: '8.8.8.8.in-addr.arpa', value: 'dns.zone.example.com' }],
        },
      },
    });
    for (const which of [0, 1] as const) {
      t.same(await rows(which, '/api/dns/any.wild.zone.example.com/A'), [
        'A any.wild.zone.example.com  192.0.2.77',
      ]);
      t.same(await rows(which, '/api/dns/xn--bcher-kva.zone.example.com/A'), [
        'A xn--bcher-kva.zone.example.com  192.0.2.78',
      ]);
      const big = await rows(which, '/api/dns/big.zone.example.com/TXT');
      t.equal(big.length, 20, 'over TCP');
    }
    t.same((await rows(1, '/api/dns/loop.zone.example.com/A')).length, 2, 'a loop ends');
  },
);

t.test('decisions 16 and 17: a name outside the public DNS is 400 and is never queried', async (t) => {
  const asked: Buffer[] = [];
  const spy = await scriptedServer(t, (query, send) => {
    asked.push(query);
    send(answerTo(query));
  });
  const server = await runServer(t, { dnsServers: [spy], trustedProxies: ['127.0.0.1/32'] });
  let caller = 0;
  const ask = (path: string) => server.get(path, { 'X-Forwarded-For': `9.9.9.${++caller}` });
  const refused = [
    'com',
    'localhost',
    'a.local',
    'x.internal',
    '127.1',
    '0x7f.1',
    '1.2.3',
    '8.8.8.8',
    'a..b',
    '-a.com',
  ];
  refused.push('a_b.com', 'b%C3%BCcher.com', 'a%20b.com', 'a%2fb.com', '10.in-addr.arpa', 'a%00.com');
  refused.push(
    '1.168.192.in-addr.arpa',
    'x.1.0.168.192.in-addr.arpa',
    'd.f.ip6.arpa',
    '1.0.0.127.in-addr.arpa',
  );
  for (const domain of refused) {
    t.match(await ask(`/api/dns/${domain}`), { status: 200, body: { code: 400 } }, domain);
    t.match(await ask(`/api/dns/${domain}/A`), { status: 200, body: { code: 400 } }, `${domain} A`);
  }
  for (const domain of ['10.0.0.1', '127.0.0.1', '192.168.1.1', '100.64.0.1', '8.8.8.08', '1.2.3', '::1'])
    t.match(await ask(`/api/dns/${domain}/PTR`), { body: { code: 400 } }, domain);
  for (const type of ['ANY', 'CAA', 'AXFR', 'TYPE1', 'A%20', 'A.B'])
    t.match(await ask(`/api/dns/a.example.com/${type}`), { body: { code: 400 } }, type);
  t.same(asked, []);
  t.match(await ask('/api/dns/192.in-addr.arpa/NS'), { body: { code: 0 } });
  t.equal(asked.length, 1);
});

t.test(
  'decision 11: failing servers are 502 and cost nothing; one failed type does not affect the others',
  async (t) => {
    const broken = await scriptedServer(t, (query, send) => {
      const isMx = query.readUInt16BE(query.indexOf(0, 12) + 1) === 15;
      const isHalf = query.toString('latin1').toLowerCase().includes('half');
      send(answerTo(query, isHalf && !isMx ? {} : { flags: 0x8182 }));
    });
    const server = await runServer(t, { dnsServers: [broken] });
    const key = await server.key('free');
    const headers = { Authorization: `Bearer ${key}` };
    const usedToday = async () =>
      (await server.get('/api/user/usage', headers)).body as { data: { today: number } };
    for (const path of ['/api/dns/a.example.com', '/api/dns/a.example.com/A'])
      t.match(await server.get(path, headers), { status: 502, body: { code: 502 } });
    t.equal((await usedToday()).data.today, 0);
    t.match(await server.get('/api/dns/half.example.com', headers), {
      body: { code: 0, data: { records: [{ type: 'A' }] } },
    });
    t.match(await server.get('/api/dns/half.example.com/mx', headers), { status: 502 });
    t.equal((await usedToday()).data.today, 1);
  },
);
