import t from 'tap';
import { DnsServer } from '../testing/dns-server.js';
import { runServer } from '../testing/running-server.js';

const names = await DnsServer.start({
  '8.8.8.8.in-addr.arpa': { pointer: 'dns.example.net' },
  '1.1.1.1.in-addr.arpa': 'servfail',
  '9.9.9.9.in-addr.arpa': { addresses: [] },
  ...Object.fromEntries(
    Array.from({ length: 50 }, (_, i) => [`${i}.4.8.8.in-addr.arpa`, { pointer: `n${i}.example.net` }]),
  ),
});
t.teardown(() => names.close());
const server = await runServer(t, { dnsServers: [names.address] });

t.test(
  'decision 29: a bare answer without CORS headers, with resolved, empty and pending names',
  async (t) => {
    const ips = '8.8.8.8,::ffff:8.8.8.8,1.1.1.1,9.9.9.9,7.7.7.7,10.0.0.1,::1,nonsense, 8.8.8.8';
    const { status, body, headers } = await server.get(`/api/rdns?ips=${encodeURIComponent(ips)}`);
    t.equal(status, 200);
    t.strictSame(body, {
      resolved: {
        '8.8.8.8': 'dns.example.net',
        '::ffff:8.8.8.8': 'dns.example.net',
        '9.9.9.9': '',
        '7.7.7.7': '',
      },
      pending: ['1.1.1.1'],
    });
    t.notOk(headers.has('access-control-allow-origin'));
    t.equal(headers.get('x-ratelimit-limit'), '60');
  },
);

t.test('decision 29: without addresses nothing is resolved', async (t) => {
  for (const query of ['', '?ips=', '?ips=,,', '?ips=10.0.0.1', '?ips=%zz']) {
    t.strictSame((await server.get(`/api/rdns${query}`)).body, { resolved: {}, pending: [] }, query);
  }
});

t.test(
  'decision 29: at most six lookups per call and forty addresses; all callers share the cache',
  async (t) => {
    const ips = Array.from({ length: 45 }, (_, i) => `8.8.4.${i}`);
    const ask = async () => (await server.get(`/api/rdns?ips=${ips.join()}`)).body as { pending: string[] };
    const before = names.asked.length;
    for (const left of [39, 33, 27, 21, 15, 9, 5]) t.equal((await ask()).pending.length, left);
    t.strictSame((await ask()).pending, ips.slice(40));
    t.equal(names.asked.length - before, 40);
  },
);
