import t from 'tap';
import { holderOf, nameIsp, type IspNames, type NameSources } from './isp-names.js';
import { readIspName } from './isp-spelling.js';

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
  const [localIsp, englishIsp, spelledIsp] = [local, english, spelled].map(readIspName);
  return {
    carrier,
    listed: listed === undefined ? undefined : { text: listed, isp: readIspName(listed) },
    fed: { local: localIsp, english: englishIsp, spelled: spelledIsp },
    holder: origin && holderOf({ asn: 64500, ...origin }),
  };
}

const TELECOM = { en: 'China Telecom', 'zh-CN': '中国电信' };

t.test('whose word makes the names', (t) => {
  const ALIBABA = { name: 'ALIBABA-CN-NET', organisation: 'Hangzhou Alibaba Advertising Co.,Ltd.' };
  const ALIYUN = { en: 'Alibaba Cloud', 'zh-CN': '阿里云' };
  const CABLE = { name: 'COLNET', organisation: 'Oriental Cable Network Co., Ltd.' };
  const CHINANET = { asn: 4134, name: 'CHINANET-BACKBONE', organisation: 'No.31,Jin-rong Street' };
  const cases: readonly [string, NameSources, IspNames][] = [
    ['nobody', SILENT, {}],
    ['a prefix list before all', sources({ carrier: 'telecom', local: '联通' }), TELECOM],
    [
      'a list’s row, by its carrier; as it is spelled it is the organization',
      sources({ listed: 'ChinaNet Guangdong Province Network', origin: CHINANET }),
      { ...TELECOM, organization: 'ChinaNet Guangdong Province Network' },
    ],
    [
      'a list’s row before feeds, the Chinese name from them',
      sources({ listed: 'Akamai International', local: '阿卡迈', english: 'Akamai Limited' }),
      { en: 'Akamai International', 'zh-CN': '阿卡迈', organization: 'Akamai International' },
    ],
    [
      'a list’s row beside a carrier in a Chinese feed, which is somebody else',
      sources({ listed: 'Chuangxin Hosting Ltd', local: '电信' }),
      { en: 'Chuangxin Hosting Ltd', organization: 'Chuangxin Hosting Ltd' },
    ],
    [
      'a Chinese feed’s carrier before the AS',
      sources({ local: '电信', origin: CABLE }),
      { ...TELECOM, organization: CABLE.organisation },
    ],
    [
      'a Chinese name, the English one of the AS',
      sources({ local: '有线通', origin: CABLE }),
      { en: CABLE.organisation, 'zh-CN': '有线通', organization: CABLE.organisation },
    ],
    [
      'one whom feed and AS know before the carrier that routes lead through',
      sources({ carrier: 'telecom', local: '有线通', origin: CABLE }),
      { en: CABLE.organisation, 'zh-CN': '有线通', organization: CABLE.organisation },
    ],
    [
      'the carrier that routes lead through before another, and where only the AS has a name of its own',
      sources({ carrier: 'telecom', origin: CABLE }),
      { ...TELECOM, organization: CABLE.organisation },
    ],
    [
      'a cloud in its own space, whatever line a feed remembers and routes lead through',
      sources({ carrier: 'unicom', local: '电信', english: 'Chinanet', origin: ALIBABA }),
      { ...ALIYUN, organization: ALIBABA.organisation },
    ],
    ['a cloud’s names for each of its spellings', sources({ local: '阿里巴巴' }), ALIYUN],
    [
      'a row about the very address before the cloud around it',
      sources({ listed: 'Ahrefs Pte Ltd', local: '微软', origin: ALIBABA }),
      { en: 'Ahrefs Pte Ltd', organization: 'Ahrefs Pte Ltd' },
    ],
    [
      'a Chinese name in space that a carrier announces',
      sources({ local: '阿卡迈', english: 'Chinanet', origin: CHINANET }),
      { 'zh-CN': '阿卡迈', organization: 'CHINANET-BACKBONE' },
    ],
    [
      'the AS’s holder by its number',
      sources({ english: 'Data Communication Business Group', origin: { asn: 3462 } }),
      { en: 'Chunghwa Telecom', 'zh-CN': '中华电信', organization: 'Data Communication Business Group' },
    ],
    [
      'the AS’s holder by its name, where the registry has a street',
      sources({ origin: { name: 'CHINATELECOM-SHANDONG-JINAN-IDC', organisation: 'Jinan,250000' } }),
      { ...TELECOM, organization: 'CHINATELECOM-SHANDONG-JINAN-IDC' },
    ],
    ['a feed’s name of the AS where no registry has one', sources({ english: 'Chinanet' }), TELECOM],
    [
      'full names before short ones',
      sources({ english: 'Cloudflare, Inc.', origin: { name: 'CLOUDFLARENET' } }),
      { en: 'Cloudflare, Inc.', organization: 'CLOUDFLARENET' },
    ],
    [
      'a Chinese feed’s Latin letters last',
      sources({ spelled: 'Telia-Company', origin: { name: 'TWELVE99' } }),
      { en: 'TWELVE99', organization: 'TWELVE99' },
    ],
    ['where nobody else says a word', sources({ spelled: 'Level3' }), { en: 'Level3' }],
  ];
  for (const [what, given, names] of cases) t.strictSame(nameIsp(given), names, what);
  t.end();
});

t.test('texts that name nobody are passed over', (t) => {
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
  for (const text of [...JUNK, ...STREETS]) t.equal(readIspName(text), undefined, text);
  const NAMES = [
    'Level 3 Communications',
    'Floortje B.V.',
    '3BB',
    'Cloudflare, Inc.',
    'Silk Road',
    'Avenue 5 Telecom',
  ];
  for (const text of NAMES) t.strictSame(readIspName(text), { kind: 'latin', text });
  t.end();
});

t.test('what stands behind the name of an ISP is left out', (t) => {
  t.match(readIspName('中国电信/天翼'), { kind: 'carrier', carrier: { id: 'telecom' } });
  t.match(readIspName('香港电讯盈科PCCW'), { kind: 'carrier', carrier: { id: 'hkt' } });
  t.match(readIspName('阿里云 数据中心'), { kind: 'carrier', carrier: { id: 'alibaba' } });
  t.strictSame(readIspName('网宿 数据中心'), { kind: 'chinese', text: '网宿' });
  t.strictSame(readIspName('美国电话电报'), { kind: 'chinese', text: '美国电话电报' });
  t.end();
});
