import type { CityRecord } from '../../pipeline/merge/city-record.js';
import type { Rows } from './small-rows.js';

const CONTINENTS = {
  AF: { code: 'AF', geoname_id: 6255146, names: namesOf(['Africa', '非洲']) },
  AS: { code: 'AS', geoname_id: 6255147, names: namesOf(['Asia', '亚洲']) },
  EU: { code: 'EU', geoname_id: 6255148, names: namesOf(['Europe', '欧洲']) },
  NA: { code: 'NA', geoname_id: 6255149, names: namesOf(['North America', '北美洲']) },
  OC: { code: 'OC', geoname_id: 6255151, names: namesOf(['Oceania', '大洋洲']) },
} as const;

const US = country('US', ['United States', '美国']);
const CN = country('CN', ['China', '中国']);
const GOOGLE: CityRecord = {
  city: city('Mountain View', '山景城'),
  continent: CONTINENTS.NA,
  country: US,
  location: {
    accuracy_radius: 20,
    latitude: 37.4056,
    longitude: -122.0775,
    time_zone: 'America/Los_Angeles',
  },
  subdivisions: region('CA', ['California', '加利福尼亚州']),
};

/** Records of `geo.mmdb`. */
export const PLACES: Rows<CityRecord> = [
  ['8.8.8.0/24', GOOGLE],
  ['2001:4860::/32', GOOGLE],
  [
    '1.1.1.0/24',
    {
      continent: CONTINENTS.OC,
      country: country('AU', ['Australia', '澳大利亚']),
      traits: { is_anycast: true },
    },
  ],
  [
    '202.96.192.0/18',
    {
      city: city('Shanghai', '上海'),
      continent: CONTINENTS.AS,
      country: CN,
      location: { latitude: 31.2222, longitude: 121.4581, time_zone: 'Asia/Shanghai' },
      subdivisions: region('SH', ['Shanghai', '上海']),
    },
  ],
  [
    '185.159.157.0/24',
    {
      city: city('Zurich', '苏黎世'),
      continent: CONTINENTS.EU,
      country: country('CH', ['Switzerland', '瑞士']),
      location: { latitude: 47.3667, longitude: 8.55, time_zone: 'Europe/Zurich' },
      subdivisions: region('ZH', ['Zurich', '苏黎世州']),
    },
  ],
  [
    '185.220.101.0/24',
    {
      city: city('Berlin', '柏林'),
      continent: CONTINENTS.EU,
      country: country('DE', ['Germany', '德国']),
      location: { latitude: 52.5244, longitude: 13.4105, time_zone: 'Europe/Berlin' },
      subdivisions: region('BE', ['Land Berlin', '柏林']),
    },
  ],
  [
    '3.5.140.0/22',
    {
      city: city('Seoul', '首尔'),
      continent: CONTINENTS.AS,
      country: country('KR', ['South Korea', '韩国']),
      location: { latitude: 37.566, longitude: 126.9784, time_zone: 'Asia/Seoul' },
      subdivisions: region('11', ['Seoul', '首尔特别市']),
    },
  ],
  [
    '197.159.160.0/19',
    {
      city: city('Null Island', '空岛'),
      continent: CONTINENTS.AF,
      country: country('ST', ['São Tomé and Príncipe', '圣多美和普林西比']),
      location: { latitude: 0, longitude: 0, time_zone: 'Africa/Sao_Tome' },
    },
  ],
  [
    '1.64.0.0/16',
    {
      city: city('Kowloon', '九龙'),
      continent: CONTINENTS.AS,
      country: country('HK', ['Hong Kong', '香港']),
      location: { latitude: 22.3167, longitude: 114.1833, time_zone: 'Asia/Hong_Kong' },
    },
  ],
  [
    '60.246.0.0/16',
    { city: city('Macao', '澳门'), continent: CONTINENTS.AS, country: country('MO', ['Macao', '澳门']) },
  ],
  [
    '1.160.0.0/12',
    {
      city: city('Taipei', '台北市'),
      continent: CONTINENTS.AS,
      country: country('TW', ['Taiwan', '台湾']),
      location: { latitude: 25.0478, longitude: 121.5319, time_zone: 'Asia/Taipei' },
      subdivisions: region('TPE', ['Taipei City', '台北市']),
    },
  ],
  ['41.74.0.0/19', { country: { iso_code: 'NG', names: { en: 'Nigeria' } } }],
  [
    '223.255.252.0/23',
    {
      city: city(undefined, '福州市'),
      continent: CONTINENTS.AS,
      country: CN,
      subdivisions: [{ names: { 'zh-CN': '福建省' } }],
    },
  ],
];

type Names = readonly [en: string | undefined, zh: string | undefined];

function namesOf([en, zh]: Names): Record<string, string> {
  return { ...(en !== undefined && { en }), ...(zh !== undefined && { 'zh-CN': zh }) };
}

/** The `geoname_id` of a country is arbitrary here. */
function country(iso_code: string, names: Names): NonNullable<CityRecord['country']> {
  return { confidence: 100, iso_code, geoname_id: 1_000_000, names: namesOf(names) };
}

function region(iso_code: string, names: Names): readonly NonNullable<CityRecord['country']>[] {
  return [{ confidence: 90, iso_code, geoname_id: 2_000_000, names: namesOf(names) }];
}

function city(en: string | undefined, zh: string): NonNullable<CityRecord['city']> {
  return { confidence: 90, geoname_id: 3_000_000, names: namesOf([en, zh]) };
}
