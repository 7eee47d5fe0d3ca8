import t from 'tap';
import { countryNames } from '../../pipeline/release/contract.js';
import { DnsServer } from '../testing/dns-server.js';
import { runServer } from '../testing/running-server.js';
import { SMALL } from '../testing/small-records.js';

const names = await DnsServer.start({
  'both.example.com': { addresses: ['2001:4860:4860::8888', '8.8.8.8', '1.1.1.1'] },
  'six.example.com': { addresses: ['2001:4860:4860::8888'] },
  'empty.example.com': { addresses: [] },
  'inside.example.com': { addresses: ['10.0.0.1'] },
  'broken.example.com': 'servfail',
  'silent.example.com': 'silence',
  'xn--bcher-kva.example.com': { addresses: ['1.1.1.1'] },
});
t.teardown(() => names.close());
const server = await runServer(t, { dnsServers: [names.address] });
const key = { Authorization: `Bearer ${await server.key('enterprise')}` };

const get = (path: string) => server.get(path, key);
const lookup = async (target: string, lang = 'en') =>
  (await get(`/api/ip/${encodeURIComponent(target)}?lang=${lang}`)).body;

const NO_BGP = {
  ...{ prefix: null, as: null, as_name: null, as_cc: null },
  ...{ allocation: null, allocation_cc: null, rpki_status: null },
  peers: [],
  ix: [],
};
/** The shape of decision 19. */
const NOTHING = {
  ...{ country: '', country_code: '', region: '', city: '', latitude: null, longitude: null, timezone: '' },
  ...{ asn: null, org: '', isp: '', as_domain: '', continent: '', continent_code: '' },
  ...{ ip_type: '', rdns: '', location: '', is_reserved: false, bgp: NO_BGP },
  ...{ is_proxy: false, proxy_type: '', usage_type: '', proxy_domain: '', proxy_isp: '', provider: '' },
  ...{ threat: '', fraud_score: '', last_seen: '', is_cloud_idc: false, cloud_provider: '' },
};
const GOOGLE_PEERS = [
  { asn: 396982, name: 'GOOGLE-CLOUD-PLATFORM' },
  { asn: 6453, name: 'AS6453' },
  { asn: 64500, name: '' },
];
const DE_CIX = { id: 31, name: 'DE-CIX Frankfurt', city: 'Frankfurt', country: 'DE' };
const GOOGLE = {
  ...NOTHING,
  ...{ country: 'United States', country_code: 'US', region: 'California', city: 'Mountain View' },
  ...{ latitude: 37.4056, longitude: -122.0775, timezone: 'America/Los_Angeles' },
  ...{ asn: 15169, org: 'Google LLC', isp: 'Google LLC', as_domain: 'google.com' },
  ...{ continent: 'North America', continent_code: 'NA' },
  location: 'United States California Mountain View Google LLC',
  ...{ usage_type: 'DCH', is_cloud_idc: true, cloud_provider: 'Google' },
};
const GOOGLE_BGP = {
  ...{ prefix: '8.8.8.0/24', as: 15169, as_name: 'GOOGLE', as_cc: 'US', rpki_status: 'valid' },
  ...{ allocation: '8.0.0.0/9', allocation_cc: 'US', peers: GOOGLE_PEERS, ix: [DE_CIX] },
};
const GOOGLE_IN_CHINESE = {
  ...{ country: '美国', region: '加利福尼亚州', city: '山景城', isp: '谷歌', continent: '北美洲' },
  location: '美国 加利福尼亚州 山景城 谷歌',
};

/** Addresses with the fields that differ from `NOTHING`. */
const RECORDS: readonly (readonly [title: string, ip: string, lang: string, record: object])[] = [
  ['a full record in English', SMALL.google, 'en', { ...GOOGLE, bgp: GOOGLE_BGP }],
  ['a full record in Chinese', SMALL.google, 'zh', { ...GOOGLE, ...GOOGLE_IN_CHINESE, bgp: GOOGLE_BGP }],
  [
    'IPv6',
    SMALL.googleV6,
    'zh',
    {
      ...GOOGLE,
      ...GOOGLE_IN_CHINESE,
      version: 6,
      bgp: { ...GOOGLE_BGP, prefix: '2001:4860::/32', allocation: '2001:4860::/32' },
    },
  ],
  ['decision 19: a reserved address', SMALL.reserved, 'zh', { is_reserved: true }],
  ['decisions 19 and 20: a reserved IPv6 address', '2001:db8::1', 'en', { is_reserved: true, version: 6 }],
  ['decision 19: a public address without records', SMALL.unknown, 'en', {}],
  ['decision 19: a public IPv6 address without records', SMALL.unknownV6, 'zh', { version: 6 }],
  [
    'decision 73: an anycast address has a country and no city',
    SMALL.cloudflare,
    'en',
    {
      ...{ country: 'Australia', country_code: 'AU', continent: 'Oceania', continent_code: 'OC' },
      ...{ asn: 13335, org: 'Cloudflare, Inc.', isp: 'Cloudflare, Inc.', as_domain: 'cloudflare.com' },
      ...{ location: 'Australia Cloudflare, Inc.', is_anycast: true },
      ...{ usage_type: 'CDN', is_cloud_idc: true, cloud_provider: 'Cloudflare' },
      bgp: {
        ...NO_BGP,
        ...{ prefix: '1.1.1.0/24', as: 13335, as_name: 'CLOUDFLARENET', as_cc: 'US', rpki_status: 'valid' },
        ...{ allocation: '1.1.1.0/24', allocation_cc: 'AU' },
      },
    },
  ],
  [
    'decision 22: a region and a city with the same name, and a carrier line',
    SMALL.shanghai,
    'zh',
    {
      ...{ country: '中国', country_code: 'CN', region: '上海', city: '上海' },
      ...{ latitude: 31.2222, longitude: 121.4581, timezone: 'Asia/Shanghai' },
      ...{ asn: 4134, org: 'CHINANET-BACKBONE', isp: '中国电信', usage_type: 'ISP' },
      ...{ continent: '亚洲', continent_code: 'AS', location: '中国 上海 中国电信' },
      bgp: {
        ...NO_BGP,
        ...{ prefix: '202.96.192.0/18', as: 4134, as_name: 'CHINANET-BACKBONE', as_cc: 'CN' },
        ...{ allocation: '202.96.0.0/12', allocation_cc: 'CN', rpki_status: 'invalid', line: '163' },
        peers: [{ asn: 3356, name: 'LEVEL3' }],
      },
    },
  ],
  [
    'decision 22: a VPN, its label and its score, in Chinese',
    SMALL.vpn,
    'zh',
    {
      ...{ country: '瑞士', country_code: 'CH', region: '苏黎世州', city: '苏黎世' },
      ...{ latitude: 47.3667, longitude: 8.55, timezone: 'Europe/Zurich' },
      ...{ continent: '欧洲', continent_code: 'EU', asn: 211398, isp: 'Proton AG' },
      ...{ location: '瑞士 苏黎世州 苏黎世 Proton AG', ip_type: '数据中心', is_proxy: true },
      ...{ proxy_type: 'VPN', usage_type: 'DCH', proxy_domain: 'protonvpn.com', proxy_isp: 'Proton AG' },
      ...{ provider: 'Proton VPN', threat: 'SPAM/SCANNER', fraud_score: '74', last_seen: '2026-11-20' },
      is_cloud_idc: true,
      bgp: {
        ...NO_BGP,
        ...{ prefix: '185.159.157.0/24', as: 211398, as_name: 'PROTON', as_cc: 'CH', rpki_status: 'unknown' },
      },
    },
  ],
  [
    'decision 22: a Tor exit whose score is 0, in English',
    SMALL.tor,
    'en',
    {
      ...{ country: 'Germany', country_code: 'DE', region: 'Land Berlin', city: 'Berlin' },
      ...{ latitude: 52.5244, longitude: 13.4105, timezone: 'Europe/Berlin' },
      ...{ continent: 'Europe', continent_code: 'EU', isp: 'Zwiebelfreunde e.V.' },
      ...{ location: 'Germany Land Berlin Berlin Zwiebelfreunde e.V.', ip_type: 'Organization' },
      ...{ is_proxy: true, proxy_type: 'TOR', usage_type: 'ORG', provider: 'Tor' },
      ...{ fraud_score: '0', last_seen: '2026-11-21' },
    },
  ],
  [
    'decision 22: a cloud that is not a proxy has no ip_type',
    SMALL.cloud,
    'en',
    {
      ...{ country: 'South Korea', country_code: 'KR', region: 'Seoul', city: 'Seoul' },
      ...{ latitude: 37.566, longitude: 126.9784, timezone: 'Asia/Seoul' },
      ...{ continent: 'Asia', continent_code: 'AS', asn: 16509, isp: 'Amazon.com, Inc.' },
      ...{ as_domain: 'amazon.com', location: 'South Korea Seoul Amazon.com, Inc.' },
      ...{ proxy_type: 'DCH', usage_type: 'DCH', proxy_domain: 'amazon.com', proxy_isp: 'Amazon.com, Inc.' },
      ...{ is_cloud_idc: true, cloud_provider: 'Amazon AWS' },
      bgp: {
        ...NO_BGP,
        ...{ prefix: '3.5.140.0/22', as: 16509, as_name: 'AMAZON-02', as_cc: 'US', rpki_status: 'valid' },
      },
    },
  ],
  [
    'latitude 0 is the equator',
    SMALL.equator,
    'en',
    {
      ...{ country: 'São Tomé and Príncipe', country_code: 'ST', city: 'Null Island' },
      ...{ latitude: 0, longitude: 0, timezone: 'Africa/Sao_Tome' },
      ...{ continent: 'Africa', continent_code: 'AF', location: 'São Tomé and Príncipe Null Island' },
    },
  ],
  [
    'decision 15: without a Chinese name the English one is used',
    SMALL.sparse,
    'zh',
    { country: 'Nigeria', country_code: 'NG', location: 'Nigeria' },
  ],
  [
    'decision 15: without an English name the Chinese one is used',
    SMALL.chineseOnly,
    'en',
    {
      ...{ country: 'China', country_code: 'CN', region: '福建省', city: '福州市' },
      ...{ continent: 'Asia', continent_code: 'AS', isp: '福建广电', usage_type: 'ISP/MOB' },
      location: 'China 福建省 福州市 福建广电',
    },
  ],
  [
    'decision 23: an unannounced address in the LAN of an exchange',
    SMALL.exchange,
    'en',
    { bgp: { ...NO_BGP, allocation: '80.81.192.0/21', allocation_cc: 'DE', ix: [DE_CIX] } },
  ],
  [
    'decision 37: a MOAS prefix has the origin that most peers see',
    SMALL.moas,
    'en',
    {
      ...{ asn: 13335, org: 'Cloudflare, Inc.', isp: 'Cloudflare, Inc.', as_domain: 'cloudflare.com' },
      location: 'Cloudflare, Inc.',
      bgp: {
        ...NO_BGP,
        ...{
          prefix: '185.1.2.0/24',
          as: 13335,
          as_name: 'CLOUDFLARENET',
          as_cc: 'US',
          rpki_status: 'valid',
        },
      },
    },
  ],
];

for (const [title, ip, lang, record] of RECORDS) {
  t.test(title, async (t) => {
    t.strictSame(await lookup(ip, lang), { code: 0, data: { ...NOTHING, ip, version: 4, ...record } });
  });
}

t.test('decision 24: the names of Hong Kong, Macao and Taiwan come from one table', async (t) => {
  const shown = [
    [SMALL.hongKong, 'HK'],
    [SMALL.macao, 'MO'],
    [SMALL.taiwan, 'TW'],
  ] as const;
  for (const [ip, code] of shown) {
    const names = countryNames().get(code)!.names;
    t.match(await lookup(ip, 'zh'), { data: { country_code: code, country: names['zh-CN'] } });
    t.match(await lookup(ip, 'en'), { data: { country_code: code, country: names.en } });
  }
});

t.test(
  'decision 17: a mapped IPv4 address is the IPv4 address; IPv6 is printed as in RFC 5952',
  async (t) => {
    const plain = await lookup(SMALL.google);
    for (const ip of ['::ffff:8.8.8.8', '::FFFF:0808:0808', '0:0:0:0:0:ffff:808:808'])
      t.strictSame(await lookup(ip), plain, ip);
    t.strictSame(await lookup('2001:4860:4860:0:0000:0:0:8888'), await lookup(SMALL.googleV6));
    t.match(await lookup('2001:DB8:0:0:1:0:0:1'), { data: { ip: '2001:db8::1:0:0:1' } });
  },
);

t.test('decision 15: any other language is Chinese; of a repeated parameter the first counts', async (t) => {
  const country = async (query: string) =>
    ((await get(`/api/ip/8.8.8.8${query}`)).body as { data: { country: string } }).data.country;
  for (const query of ['?lang=en', '?lang=EN', '?lang=en-US', '?lang=en_GB', '?lang=En&lang=zh'])
    t.equal(await country(query), 'United States', query);
  const chinese = ['', '?lang=', '?lang=zh', '?lang=zh-CN', '?lang=ZH_tw', '?lang=fr', '?lang=english'];
  for (const query of [...chinese, '?lang=zh&lang=en', '?lang[]=en', '?LANG=en', '?lang=%00', '?lang=e'])
    t.equal(await country(query), '美国', query);
});

t.test('decision 18: a host name is looked up by its first A, otherwise its first AAAA', async (t) => {
  t.strictSame(await lookup('both.example.com'), await lookup('8.8.8.8'));
  t.strictSame(await lookup('six.example.com'), await lookup(SMALL.googleV6));
  t.match(await lookup('inside.example.com'), { code: 0, data: { ip: '10.0.0.1', is_reserved: true } });
});

t.test('decision 17: spellings with upper case, trailing dot and IDN are one name', async (t) => {
  for (const name of ['BOTH.Example.com', 'both.example.com.'])
    t.match(await lookup(name), { code: 0, data: { ip: '8.8.8.8' } }, name);
  for (const name of ['bücher.example.com', 'BÜCHER.example.com.', 'xn--bcher-kva.example.com'])
    t.match(await lookup(name), { code: 0, data: { ip: '1.1.1.1' } }, name);
});

t.test('decisions 11 and 18: no address is 404, no answer is 502, and neither is billed', async (t) => {
  const account = { Authorization: `Bearer ${await server.key('free')}` };
  const failing = [
    ['empty.example.com', 200, 404],
    ['nobody.example.com', 200, 404],
    ['broken.example.com', 502, 502],
    ['silent.example.com', 502, 502],
  ] as const;
  const answers = await Promise.all(
    failing.flatMap(([name]) =>
      ['', '/sources'].map((path) => server.get(`/api/ip/${name}${path}`, account)),
    ),
  );
  for (const [i, answer] of answers.entries()) {
    const [name, status, code] = failing[i >> 1]!;
    t.match(answer, { status, body: { code } }, name);
    t.strictSame(Object.keys(answer.body as object), ['code', 'msg']);
  }
  t.match((await server.get('/api/user/usage', account)).body, { data: { today: 0, month_total: 0 } });
});

t.test('decision 16: an invalid target is refused and causes no DNS query', async (t) => {
  const before = names.asked.length;
  const hostile = [
    ...['127.1', '010.0.0.1', '0x7f000001', '0x7f.1', '2130706433', '017700000001', '1.2.3', '0', '1'],
    ...['fe80::1%eth0', '2001:4860::8888%1', '8.8.8.8:80', '[::1]', '::1/128', '8.8.8.8/32', '1.2.3.4.5'],
    ...['AS123', 'as15169', 'localhost', 'com', '...', '8.8.8.8.', ' 8.8.8.8', '8.8.8.8 ', '8.8.8.8\n'],
    ...[
      'host.1',
      'host.0x7f',
      'example.123',
      '１２７.０.０.１',
      '127。0。0。1',
      '⑧.8.8.8',
      'a.internal',
      'x.local',
    ],
    ...['http://example.com', 'user@example.com', 'example.com:80', 'example.com/path', 'example.com?x=1'],
    ...['example.com\0', 'a..example.com', '-a.example.com', 'a_b.example.com', `${'a'.repeat(64)}.com`],
    ...['%zz', '%', '%00', 'undefined', '__proto__', 'constructor', '*.example.com', 'xn--a.com', '::g'],
  ];
  for (const target of hostile) {
    const encoded = encodeURIComponent(target);
    for (const path of [`/api/ip/${encoded}`, `/api/ip/${encoded}/sources`])
      t.match(await get(path), { status: 200, body: { code: 400, msg: /./ } }, JSON.stringify(target));
  }
  t.match((await server.post('/api/ip/batch', { ips: hostile }, key)).body, {
    code: 0,
    data: hostile.map((ip) => ({ ip, error: 'invalid IP or hostname' })),
  });
  t.equal(names.asked.length, before);
});
