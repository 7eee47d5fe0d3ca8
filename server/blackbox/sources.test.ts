import t from 'tap';
import { DnsServer } from '../testing/dns-server.js';
import { runServer } from '../testing/running-server.js';
import { SMALL } from '../testing/small-records.js';

const names = await DnsServer.start({ 'google.example.com': { addresses: [SMALL.google] } });
t.teardown(() => names.close());
const server = await runServer(t, { dnsServers: [names.address], trustedProxies: ['127.0.0.1/32'] });
const ask = async (target: string, query = '') =>
  (await server.get(`/api/ip/${target}/sources${query}`)).body;

const NONE = { region: '', city: '', isp: '', lat: null, lng: null };
const MOUNTAIN_VIEW = { country: '美国', region: '加利福尼亚州', city: '山景城', isp: '' };

t.test('one entry for each database with a verdict, unmerged', async (t) => {
  t.strictSame(await ask(SMALL.google), {
    code: 0,
    data: {
      ip: SMALL.google,
      sources: [
        { source: 'own', ...NONE, country: '美国', isp: 'Google' },
        { source: 'geolite2', ...MOUNTAIN_VIEW, lat: 37.4056, lng: -122.0775 },
        { source: 'dbip', ...MOUNTAIN_VIEW, lat: 37.422, lng: -122.085 },
        { source: 'ip2region', ...NONE, country: '美国', region: '加利福尼亚州', isp: '谷歌' },
      ],
    },
  });
});

t.test('decision 15: in English, or in Chinese when a database has no English name', async (t) => {
  t.strictSame(await ask(SMALL.google, '?lang=en'), {
    code: 0,
    data: {
      ip: SMALL.google,
      sources: [
        { source: 'own', ...NONE, country: 'United States', isp: 'Google' },
        ...[
          ['geolite2', 37.4056, -122.0775],
          ['dbip', 37.422, -122.085],
        ].map(([source, lat, lng]) => ({
          ...{ source, country: 'United States', region: 'California', city: 'Mountain View', isp: '' },
          ...{ lat, lng },
        })),
        { source: 'ip2region', ...NONE, country: 'United States', region: '加利福尼亚州', isp: '谷歌' },
      ],
    },
  });
});

t.test(
  'latitude 0 is a value; IPv6 has its own verdicts; a mapped address has those of its IPv4 address',
  async (t) => {
    const sources = async (target: string) =>
      ((await ask(target)) as { data: { sources: unknown[] } }).data.sources;
    t.match(await sources(SMALL.equator), [{ source: 'geolite2', country_code: undefined, lat: 0, lng: 0 }]);
    t.match(await sources(SMALL.googleV6), [{ source: 'geolite2', country: '美国', lat: null }]);
    t.strictSame(await ask(`::ffff:${SMALL.google}`), await ask(SMALL.google));
  },
);

t.test('decision 18: a host name has the verdicts of its address', async (t) => {
  t.strictSame(await ask('google.example.com'), await ask(SMALL.google));
});

t.test('decision 19: reserved and unknown addresses have no verdicts, and are billed', async (t) => {
  const account = { Authorization: `Bearer ${await server.key('free')}` };
  for (const ip of [SMALL.reserved, SMALL.unknown, SMALL.unknownV6]) {
    const answer = await server.get(`/api/ip/${ip}/sources`, account);
    t.strictSame(answer.body, { code: 0, data: { ip, sources: [] } });
  }
  t.match((await server.get('/api/user/usage', account)).body, { data: { today: 3 } });
});

t.test('decision 1: sources and lookups share the bucket of callers without a key', async (t) => {
  const headers = { 'X-Forwarded-For': '1.1.1.2' };
  const left = [];
  for (const path of ['/api/ip/1.1.1.1/sources', '/api/ip/1.1.1.1', '/api/ip/1.1/sources'])
    left.push((await server.get(path, headers)).headers.get('x-ratelimit-remaining'));
  t.strictSame(left, ['29', '28', '27']);
});
