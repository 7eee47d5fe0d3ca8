import t from 'tap';
import {
  holderOf,
  listedNamesOf,
  nameIsp,
  type IspNames,
  type ListedNames,
  type NameSources,
} from './isp-names.js';
import { carrierById, parseIspName } from './spelled-isp.js';
import { anyListings, random, shuffled } from './testing/any-listings.js';
import { listing } from './testing/listings.js';

const SILENT: NameSources = { carrier: undefined, listed: undefined, fed: undefined, holder: undefined };

/** Sources by their texts. */
function sources(texts: {
  readonly carrier?: string;
  readonly listed?: string;
  readonly local?: string;
  readonly english?: string;
  readonly spelled?: string;
  readonly origin?: { readonly asn?: number; readonly name?: string; readonly organisation?: string };
}): NameSources {
  const { carrier, listed, local = '', english = '', spelled = '', origin } = texts;
  const [localIsp, englishIsp, spelledIsp] = [local, english, spelled].map(parseIspName);
  return {
    carrier: carrier === undefined ? undefined : carrierById(carrier),
    listed: listed === undefined ? undefined : { text: listed, isp: parseIspName(listed) },
    fed: { local: localIsp, english: englishIsp, spelled: spelledIsp },
    holder: origin && holderOf({ asn: 64500, ...origin }),
  };
}

const TELECOM = { en: 'China Telecom', zh: '中国电信' };

t.test('the first source that knows the ISP decides its names', (t) => {
  const ALIBABA = { name: 'ALIBABA-CN-NET', organisation: 'Hangzhou Alibaba Advertising Co.,Ltd.' };
  const ALIYUN = { en: 'Alibaba Cloud', zh: '阿里云' };
  const CABLE = { name: 'COLNET', organisation: 'Oriental Cable Network Co., Ltd.' };
  const CHINANET = { asn: 4134, name: 'CHINANET-BACKBONE', organisation: 'Chinanet' };
  const cases: readonly [string, NameSources, Partial<IspNames>][] = [
    ['no source', SILENT, {}],
    ['a prefix list before all others', sources({ carrier: 'telecom', local: '联通' }), TELECOM],
    [
      'a list’s row, by its carrier; its text is the organization',
      sources({ listed: 'ChinaNet Guangdong Province Network', origin: CHINANET }),
      { ...TELECOM, organization: 'ChinaNet Guangdong Province Network' },
    ],
    [
      'a list’s row before feeds, with their Chinese name',
      sources({ listed: 'Akamai International', local: '阿卡迈', english: 'Akamai Limited' }),
      { en: 'Akamai International', zh: '阿卡迈', organization: 'Akamai International' },
    ],
    [
      'a list’s row, without the carrier in a Chinese feed, which is another company',
      sources({ listed: 'Chuangxin Hosting Ltd', local: '电信' }),
      { en: 'Chuangxin Hosting Ltd', organization: 'Chuangxin Hosting Ltd' },
    ],
    [
      'a Chinese feed’s carrier before the AS',
      sources({ local: '电信', origin: CABLE }),
      { ...TELECOM, organization: CABLE.organisation },
    ],
    [
      'a Chinese name, with the English name of the AS',
      sources({ local: '有线通', origin: CABLE }),
      { en: CABLE.organisation, zh: '有线通', organization: CABLE.organisation },
    ],
    [
      'an ISP that feed and AS name before the carrier on its routes',
      sources({ carrier: 'telecom', local: '有线通', origin: CABLE }),
      { en: CABLE.organisation, zh: '有线通', organization: CABLE.organisation },
    ],
    [
      'the carrier on the routes when only the AS has another name',
      sources({ carrier: 'telecom', origin: CABLE }),
      { ...TELECOM, organization: CABLE.organisation },
    ],
    [
      'a cloud in its own space before feeds and routes',
      sources({ carrier: 'unicom', local: '电信', english: 'Chinanet', origin: ALIBABA }),
      { ...ALIYUN, organization: ALIBABA.organisation },
    ],
    ['a cloud’s names for each of its spellings', sources({ local: '阿里巴巴' }), ALIYUN],
    [
      'a row about the network itself before the cloud around it',
      sources({ listed: 'Ahrefs Pte Ltd', local: '微软', origin: ALIBABA }),
      { en: 'Ahrefs Pte Ltd', organization: 'Ahrefs Pte Ltd' },
    ],
    [
      'a Chinese name in space that a carrier announces',
      sources({ local: '阿卡迈', english: 'Chinanet', origin: CHINANET }),
      { zh: '阿卡迈', organization: 'Chinanet' },
    ],
    [
      'the holder of the AS by its number',
      sources({ english: 'Data Communication Business Group', origin: { asn: 3462 } }),
      { en: 'Chunghwa Telecom', zh: '中华电信', organization: 'Data Communication Business Group' },
    ],
    [
      'the carrier by the short name of the AS',
      sources({ origin: { name: 'CHINATELECOM-SHANDONG-JINAN-IDC', organisation: 'Jinan' } }),
      { ...TELECOM, organization: 'Jinan' },
    ],
    ['a feed’s name of the AS when no registry has one', sources({ english: 'Chinanet' }), TELECOM],
    [
      'full names before short ones',
      sources({ english: 'Cloudflare, Inc.', origin: { name: 'CLOUDFLARENET' } }),
      { en: 'Cloudflare, Inc.', organization: 'Cloudflare, Inc.' },
    ],
    [
      'the holder of the AS before a handle in a feed',
      sources({ english: 'COMCAST-7922', origin: { name: 'COMCAST-7922', organisation: 'Comcast' } }),
      { en: 'Comcast', organization: 'Comcast' },
    ],
    [
      'a Chinese feed’s Latin letters before handles',
      sources({ english: 'LEVEL3', spelled: 'Level3', origin: { name: 'LEVEL3' } }),
      { en: 'Level3', organization: 'LEVEL3' },
    ],
    [
      'a Chinese feed’s Latin letters last',
      sources({ spelled: 'Telia-Company', origin: { name: 'TWELVE99' } }),
      { en: 'TWELVE99', organization: 'TWELVE99' },
    ],
    [
      'a Chinese feed’s Latin letters when nothing else is known',
      sources({ spelled: 'Level3' }),
      { en: 'Level3' },
    ],
  ];
  const unknown: IspNames = { en: undefined, zh: undefined, organization: undefined };
  for (const [what, given, names] of cases) t.strictSame(nameIsp(given), { ...unknown, ...names }, what);
  t.end();
});

t.test('placeholders, host names and postal addresses are not names', (t) => {
  const JUNK = [
    '',
    '0',
    '-',
    'N/A',
    'unknown',
    '内网IP',
    'CZ88.NET',
    '局域网',
    'IANA保留地址',
    'vpsquan.com',
  ];
  const STREETS = [
    'No.31,Jin-rong Street',
    'Jinan,250000',
    'NINGBO, ZHEJIANG Province, P.R.China.',
    'Level 30, Tower 1',
    'NetEase Building No.16 Ke Yun Road',
    'KuanggongLu, Pingdingshan, Henan, China',
    '1065-A Zhaojiabang Road',
  ];
  for (const text of [...JUNK, ...STREETS]) t.equal(parseIspName(text), undefined, text);
  const NAMES = [
    'Level 3 Communications',
    'Floortje B.V.',
    '3BB',
    'Cloudflare, Inc.',
    'Silk Road',
    'Avenue 5 Telecom',
  ];
  for (const text of NAMES) t.strictSame(parseIspName(text), { kind: 'latin', text });
  t.end();
});

t.test('text after the name of an ISP is cut off', (t) => {
  t.match(parseIspName('中国电信/天翼'), { kind: 'carrier', carrier: { id: 'telecom' } });
  t.match(parseIspName('香港电讯盈科PCCW'), { kind: 'carrier', carrier: { id: 'hkt' } });
  t.match(parseIspName('阿里云 数据中心'), { kind: 'carrier', carrier: { id: 'alibaba' } });
  t.strictSame(parseIspName('网宿 数据中心'), { kind: 'chinese', text: '网宿' });
  t.strictSame(parseIspName('美国电话电报'), { kind: 'chinese', text: '美国电话电报' });
  t.end();
});

/** The names that listings give, without those that are unknown. */
function namesOf(listings: Parameters<typeof listedNamesOf>[0]): Partial<ListedNames> {
  const known = Object.entries(listedNamesOf(listings)).filter(([, name]) => name !== undefined);
  return Object.fromEntries(known);
}

t.test('lists name ISP, domain and carrier, dropped listings included', (t) => {
  const row = listing('ip2proxy', { type: 'VPN', isp: 'Example Telecom', domain: 'example.net' });
  const carrier = listing('cn-carriers', { carrier: 'telecom' });
  const names = { isp: 'Example Telecom', domain: 'example.net', carrier: 'telecom' };
  t.same(namesOf([row, carrier]), names);
  t.same(namesOf([row, carrier, listing('operator-lists', { allow: ['*'] })]), names);
  t.same(namesOf([]), {});
  t.end();
});

t.test('expired listings name nothing; otherwise the first list by id names it', (t) => {
  const old = listing('a', { type: 'PUB', isp: 'Old' }, { ageDays: 31 });
  t.same(namesOf([old]), {});
  const [first, second] = [
    listing('b', { domain: 'b.example' }),
    listing('c', { isp: 'C', domain: 'c.example' }),
  ];
  t.same(namesOf([second, first, old]), { isp: 'C', domain: 'b.example' });
  t.end();
});

t.test('each name comes from the first listing that has one, in any order of the listings', (t) => {
  const next = random(7);
  let named = 0;
  for (let i = 0; i < 3_000; i++) {
    const byList = new Map(anyListings(next).map((listing) => [listing.list, listing]));
    const listings = [...byList.keys()].sort().map((list) => byList.get(list)!);
    const alone = listings.map((listing) => namesOf([listing]));
    const expected = alone.reduceRight<Partial<ListedNames>>((later, names) => ({ ...later, ...names }), {});
    const names = namesOf(shuffled(listings, next));
    if (Object.keys(names).length > 0) named++;
    if (JSON.stringify(Object.entries(names).sort()) !== JSON.stringify(Object.entries(expected).sort())) {
      t.same(names, expected, JSON.stringify(listings));
    }
  }
  t.ok(named > 1_000, `${named} listings gave names`);
  t.end();
});
