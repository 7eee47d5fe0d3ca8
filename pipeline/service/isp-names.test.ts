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
      sources({ listed: 'Microsoft Corporation', local: '微软', english: 'Microsoft Limited' }),
      { en: 'Microsoft Corporation', 'zh-CN': '微软', organization: 'Microsoft Corporation' },
    ],
    [
      'a list’s row beside a carrier in a Chinese feed, which is somebody else',
      sources({ listed: 'Aliyun Computing Co. Ltd', local: '电信' }),
      { en: 'Aliyun Computing Co. Ltd', organization: 'Aliyun Computing Co. Ltd' },
    ],
    [
      'a Chinese feed’s carrier before the AS',
      sources({ local: '电信', origin: ALIBABA }),
      { ...TELECOM, organization: ALIBABA.organisation },
    ],
    [
      'a Chinese name, the English one of the AS',
      sources({ local: '阿里云', origin: ALIBABA }),
      { en: ALIBABA.organisation, 'zh-CN': '阿里云', organization: ALIBABA.organisation },
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
  ];
  for (const text of [...JUNK, ...STREETS]) t.equal(readIspName(text), undefined, text);
  const NAMES = ['Level 3 Communications', 'Floortje B.V.', '3BB', 'Cloudflare, Inc.'];
  for (const text of NAMES) t.strictSame(readIspName(text), { kind: 'latin', text });
  t.end();
});

t.test('what stands behind the name of an ISP is left out', (t) => {
  t.match(readIspName('中国电信/天翼'), { kind: 'carrier', carrier: { id: 'telecom' } });
  t.match(readIspName('香港电讯盈科PCCW'), { kind: 'carrier', carrier: { id: 'hkt' } });
  t.strictSame(readIspName('阿里云 数据中心'), { kind: 'chinese', text: '阿里云' });
  t.strictSame(readIspName('美国电话电报'), { kind: 'chinese', text: '美国电话电报' });
  t.end();
});
