import { fileURLToPath } from 'node:url';
import t from 'tap';
import { z } from 'zod';
import { bytesOf } from '../byte-text.js';
import { readReservedSpace } from '../targets/reserved-space.js';
import { parseTargetAddress } from '../targets/target.js';
import { mapSnapshot, type SnapshotRows } from '../testing/map-snapshot.js';
import { CountryNames } from '../../pipeline/record/language.js';
import { flatIpRecordSchema, ipRecordSchema, sourcesSchema, type IpRecord } from './ip-record-schema.js';
import { IpRecords } from './ip-record.js';
import type { Language } from '../../pipeline/record/language.js';

const reserved = await readReservedSpace(
  fileURLToPath(new URL('../../../fixtures/feeds/iana', import.meta.url)),
);
const records = new IpRecords({ reserved, countries: new CountryNames() });

/** Returns the record of an address after validating it against the schema. */
function recordOf(ip: string, rows: SnapshotRows, language: Language = 'en') {
  const snapshot = mapSnapshot(rows);
  const address = parseTargetAddress(ip)!;
  const record = records.recordOf(address, snapshot, language);
  t.equal(
    bytesOf(records.textOf(address, snapshot, language)).toString(),
    JSON.stringify(record),
    'the text says the same',
  );
  return ipRecordSchema.parse(record);
}

const SHANGHAI = {
  city: { names: { en: 'Shanghai', 'zh-CN': '上海' } },
  continent: { code: 'AS', names: { en: 'Asia', 'zh-CN': '亚洲' } },
  country: { iso_code: 'CN', names: { en: 'China', 'zh-CN': '中国' } },
  location: { latitude: 31.2222, longitude: 121.4581, time_zone: 'Asia/Shanghai' },
  subdivisions: [{ iso_code: 'SH', names: { en: 'Shanghai', 'zh-CN': '上海' } }],
};

const FULL: SnapshotRows = {
  places: { '1.0.1.1': SHANGHAI },
  isp: {
    '1.0.1.1': {
      isp: 'China Telecom',
      isp_names: { en: 'China Telecom', 'zh-CN': '中国电信' },
      usage_type: 'ISP/MOB',
      is_anonymous: true,
      is_cloud_idc: true,
      proxy: {
        ...{ type: 'VPN', domain: 'vpn.example.com', isp: 'Example Carrier', provider: 'ExampleVPN' },
        ...{ threat: 'SPAM', fraud_score: 0, last_seen: '2026-11-20' },
      },
      cloud: { provider: 'AWS', region: 'ap-east-1' },
    },
  },
  announcers: {
    '1.0.1.1': {
      autonomous_system_number: 4134,
      autonomous_system_organization: 'Chinanet',
      as_domain: 'example.cn',
    },
  },
  routes: {
    '1.0.1.1': {
      ...{
        prefix: '1.0.1.0/24',
        origin: 4134,
        rpki: 'valid',
        as_name: 'CHINANET',
        as_country: 'CN',
        line: '163',
      },
      neighbours: [{ asn: 174, name: 'COGENT' }, { asn: 64500 }],
      allocation: { prefix: '1.0.1.0/24', country: 'CN', registry: 'apnic' },
      exchange: { id: 7, name: 'LAN-IX', city: 'Hong Kong', country: 'HK' },
    },
  },
  networks: [
    {
      ...{ asn: 4134, in_use: true },
      exchanges: [
        { id: 9, name: 'Fast-IX', country: 'DE' },
        { id: 7, name: 'LAN-IX', city: 'Hong Kong', country: 'HK' },
        { id: 8, name: 'Slow-IX', city: 'Tokyo', country: 'JP' },
      ],
    },
  ],
};

t.test('every documented field, in Chinese', (t) => {
  t.same(recordOf('1.0.1.1', FULL, 'zh'), {
    ...{ ip: '1.0.1.1', version: 4, country: '中国', country_code: 'CN', region: '上海', city: '上海' },
    ...{ latitude: 31.2222, longitude: 121.4581, timezone: 'Asia/Shanghai' },
    ...{ asn: 4134, org: 'Chinanet', isp: '中国电信', as_domain: 'example.cn' },
    ...{ continent: '亚洲', continent_code: 'AS', ip_type: '固定宽带/移动网络', rdns: '' },
    ...{ location: '中国 上海 中国电信', is_reserved: false },
    bgp: {
      ...{ prefix: '1.0.1.0/24', as: 4134, as_name: 'CHINANET', as_cc: 'CN' },
      ...{ allocation: '1.0.1.0/24', allocation_cc: 'CN', rpki_status: 'valid' },
      peers: [
        { asn: 174, name: 'COGENT' },
        { asn: 64500, name: '' },
      ],
      ix: [
        { id: 7, name: 'LAN-IX', city: 'Hong Kong', country: 'HK' },
        { id: 9, name: 'Fast-IX', city: '', country: 'DE' },
        { id: 8, name: 'Slow-IX', city: 'Tokyo', country: 'JP' },
      ],
      line: '163',
    },
    ...{ is_proxy: true, proxy_type: 'VPN', usage_type: 'ISP/MOB', proxy_domain: 'vpn.example.com' },
    ...{ proxy_isp: 'Example Carrier', provider: 'ExampleVPN', threat: 'SPAM', fraud_score: '0' },
    ...{ last_seen: '2026-11-20', is_cloud_idc: true, cloud_provider: 'AWS' },
  });
  t.end();
});

t.test(
  'decision 74: an AS that no collector sees is marked with its publisher, and bgp.prefix is null',
  (t) => {
    const observed: SnapshotRows = {
      announcers: {
        '1.0.1.1': {
          ...FULL.announcers!['1.0.1.1']!,
          ...{ as_name: 'CHINANET', as_country: 'CN' },
          as_source: 'ipinfo',
        },
      },
      networks: [
        {
          ...FULL.networks![0]!,
          topology: {
            upstreams: [{ asn: 174, power: 2, name: 'COGENT' }],
            downstreams: [{ asn: 64500, power: 9 }],
            peers: Array.from({ length: 19 }, (_, i) => ({ asn: 1000 + i, power: 1 })),
          },
        },
      ],
    };
    const { asn, org, as_domain, bgp } = recordOf('1.0.1.1', observed);
    t.same({ asn, org, as_domain }, { asn: 4134, org: 'Chinanet', as_domain: 'example.cn' });
    t.match(bgp, {
      ...{ prefix: null, as: 4134, as_name: 'CHINANET', as_cc: 'CN', rpki_status: null },
      ...{ allocation: null, as_source: 'ipinfo', ix: [{ id: 9 }, { id: 7 }, { id: 8 }] },
    });
    const peers = bgp.peers.map((peer) => peer.asn);
    t.same([peers.slice(0, 2), peers.length], [[64500, 174], 20], 'the strongest neighbours of all kinds');
    const allocation = { prefix: '1.0.0.0/16', country: 'AU' };
    const allocated = recordOf('1.0.1.1', { ...observed, routes: { '1.0.1.1': { allocation } } });
    t.match(allocated.bgp, { prefix: null, as: 4134, allocation: '1.0.0.0/16', as_source: 'ipinfo' });
    const unknownOrigin = { '1.0.1.1': { prefix: '1.0.1.0/24' } };
    t.match(recordOf('1.0.1.1', { ...observed, routes: unknownOrigin }).bgp, {
      prefix: '1.0.1.0/24',
      as: 4134,
    });
    t.notOk('as_source' in recordOf('1.0.1.1', FULL).bgp);
    t.end();
  },
);

t.test('decisions 15 and 22: names, label and location in English', (t) => {
  const found = recordOf('1.0.1.1', FULL);
  t.match(found, {
    country: 'China',
    region: 'Shanghai',
    city: 'Shanghai',
    continent: 'Asia',
    isp: 'China Telecom',
  });
  t.equal(found.ip_type, 'Fixed-line ISP/Mobile network');
  t.equal(found.location, 'China Shanghai China Telecom');
  t.end();
});

const EMPTY = {
  ...{ country: '', country_code: '', region: '', city: '', latitude: null, longitude: null, timezone: '' },
  ...{ asn: null, org: '', isp: '', as_domain: '', continent: '', continent_code: '', ip_type: '', rdns: '' },
  location: '',
  bgp: {
    ...{ prefix: null, as: null, as_name: null, as_cc: null, allocation: null, allocation_cc: null },
    ...{ rpki_status: null, peers: [], ix: [] },
  },
  ...{
    is_proxy: false,
    proxy_type: '',
    usage_type: '',
    proxy_domain: '',
    proxy_isp: '',
    provider: '',
    threat: '',
  },
  ...{ fraud_score: '', last_seen: '', is_cloud_idc: false, cloud_provider: '' },
};

t.test('decision 73: only the record of an anycast address has is_anycast', (t) => {
  const { country, continent } = SHANGHAI;
  const anycast = { country, continent, traits: { is_anycast: true } };
  t.match(recordOf('1.0.1.1', { places: { '1.0.1.1': anycast } }), { city: '', is_anycast: true });
  for (const place of [{ country }, { country, traits: {} }, { country, traits: { is_anycast: false } }]) {
    t.notOk('is_anycast' in recordOf('1.0.1.1', { places: { '1.0.1.1': place } }));
  }
  t.end();
});

t.test('decision 19: a reserved address has an empty record, even if tables have data for it', (t) => {
  const filled = {
    places: { '10.0.0.1': SHANGHAI },
    announcers: { '10.0.0.1': { autonomous_system_number: 1 } },
  };
  t.same(recordOf('10.0.0.1', filled), { ...EMPTY, ip: '10.0.0.1', version: 4, is_reserved: true });
  t.same(recordOf('2001:db8::1', {}), { ...EMPTY, ip: '2001:db8::1', version: 6, is_reserved: true });
  t.end();
});

t.test('decision 19: the record of an unknown public address has the same shape', (t) => {
  t.same(recordOf('9.9.9.9', {}), { ...EMPTY, ip: '9.9.9.9', version: 4, is_reserved: false });
  t.same(
    Object.keys(recordOf('9.9.9.9', {})),
    Object.keys(recordOf('1.0.1.1', FULL)),
    'the same keys in one order',
  );
  t.end();
});

t.test('latitude 0 is a value', (t) => {
  const found = recordOf('9.9.9.9', { places: { '9.9.9.9': { location: { latitude: 0, longitude: 0 } } } });
  t.same([found.latitude, found.longitude], [0, 0]);
  t.end();
});

t.test(
  'decision 15: a missing translation falls back to the other language, a missing name to the code',
  (t) => {
    const place = { country: { iso_code: 'TW' }, city: { names: { 'zh-CN': '淡水' } } };
    const service = { isp: 'Chunghwa', isp_names: { en: 'Chunghwa Telecom' } };
    const rows = { places: { '9.9.9.9': place }, isp: { '9.9.9.9': service } };
    t.match(recordOf('9.9.9.9', rows, 'en'), { country: 'Taiwan', city: '淡水' });
    t.match(recordOf('9.9.9.9', rows, 'zh'), { country: '台湾', isp: 'Chunghwa Telecom' });
    t.match(recordOf('9.9.9.9', { isp: { '9.9.9.9': { isp: 'As spelled' } } }, 'zh'), {
      isp: 'As spelled',
    });
    t.end();
  },
);

t.test('decision 22: only proxies have a label, and unknown codes are shown unchanged', (t) => {
  const typed = (usage_type: string, is_anonymous: boolean) =>
    recordOf('9.9.9.9', { isp: { '9.9.9.9': { usage_type, ...(is_anonymous && { is_anonymous }) } } }, 'zh');
  t.equal(typed('DCH', true).ip_type, '数据中心');
  t.equal(typed('DCH', false).ip_type, '');
  t.equal(typed('DCH', false).usage_type, 'DCH');
  t.equal(typed('XYZ/COM', true).ip_type, 'XYZ/商业');
  t.equal(typed('constructor', true).ip_type, 'constructor');
  t.end();
});

t.test('without an ISP name the holder of the AS is used', (t) => {
  const rows = {
    announcers: { '9.9.9.9': { autonomous_system_number: 19281, autonomous_system_organization: 'Quad9' } },
  };
  t.match(recordOf('9.9.9.9', rows), { isp: 'Quad9', org: 'Quad9', asn: 19281, location: 'Quad9' });
  t.end();
});

t.test('decision 23: an address in a peering LAN without a route has its exchange', (t) => {
  const rows = { routes: { '9.9.9.9': { exchange: { id: 31, name: 'EX' } } } };
  const { bgp } = recordOf('9.9.9.9', rows);
  t.same(bgp.ix, [{ id: 31, name: 'EX', city: '', country: '' }]);
  t.equal(bgp.prefix, null);
  t.notOk('line' in bgp);
  t.end();
});

t.test('releases with equal routes keep their own exchanges', (t) => {
  const route = { prefix: '9.9.9.0/24', origin: 1 };
  const release = (id: number) =>
    recordOf('9.9.9.9', {
      routes: { '9.9.9.9': route },
      networks: [{ asn: 1, in_use: true, exchanges: [{ id, name: 'X' }] }],
    });
  t.same(
    [release(5), release(6)].map(({ bgp }) => bgp.ix[0]?.id),
    [5, 6],
  );
  t.end();
});

t.test('records are not modified', (t) => {
  const freeze = (value: unknown): unknown => {
    if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
    return value;
  };
  freeze(FULL);
  t.same(recordOf('1.0.1.1', FULL, 'zh'), recordOf('1.0.1.1', FULL, 'zh'));
  t.end();
});

t.test('a name that contains `"bgp":null` is not mistaken for the key', (t) => {
  const isp = '"bgp":null';
  t.equal(recordOf('9.9.9.9', { isp: { '9.9.9.9': { isp } } }).isp, isp);
  t.end();
});

t.test('the flat record has eleven keys with the same values', (t) => {
  const address = parseTargetAddress('1.0.1.1')!;
  t.same(flatIpRecordSchema.parse(records.flatRecordOf(address, mapSnapshot(FULL), 'zh')), {
    ...{ ip: '1.0.1.1', country: '中国', country_code: 'CN', region: '上海', city: '上海', isp: '中国电信' },
    ...{ org: 'Chinanet', asn: 4134, latitude: 31.2222, longitude: 121.4581, timezone: 'Asia/Shanghai' },
  });
  t.end();
});

t.test('verdicts are in the order of the manifest; databases without data are left out', (t) => {
  const verdicts = {
    own: {
      '9.9.9.9': {
        country: 'HK',
        region_zh: '九龙',
        city: 'Kowloon',
        city_zh: '九龙城',
        latitude: 0,
        longitude: 0,
      },
    },
    dbip: {},
    ip2region: { '9.9.9.9': { country: 'US', region_name: 'California', isp: 'Quad9' } },
    qqwry: { '9.9.9.9': {} },
  };
  const found = (language: Language, ip = '9.9.9.9') =>
    sourcesSchema.shape.sources.parse(
      records.verdictsOf(parseTargetAddress(ip)!, mapSnapshot({ verdicts }), language),
    );
  t.same(found('zh'), [
    { source: 'own', country: '香港', region: '九龙', city: '九龙城', isp: '', lat: 0, lng: 0 },
    {
      source: 'ip2region',
      country: '美国',
      region: 'California',
      city: '',
      isp: 'Quad9',
      lat: null,
      lng: null,
    },
  ]);
  t.match(found('en'), [
    { country: 'Hong Kong', region: '九龙', city: 'Kowloon' },
    { country: 'United States' },
  ]);
  t.same(found('en', '10.0.0.1'), []);
  t.end();
});

t.test('the schema refuses records with an extra key, a missing key or another type', (t) => {
  const good = recordOf('9.9.9.9', {});
  const short: Partial<IpRecord> = { ...good };
  delete short.rdns;
  for (const bad of [
    { ...good, extra: 1 },
    short,
    { ...good, latitude: '1' },
    { ...good, rdns: 'x' },
    null,
  ]) {
    t.equal(ipRecordSchema.safeParse(bad).success, false);
  }
  t.doesNotThrow(() => z.toJSONSchema(ipRecordSchema));
  t.end();
});
