import type { Verdict } from '../../pipeline/merge/verdict-record.js';
import type { Rows } from './small-rows.js';

const MOUNTAIN_VIEW = {
  country: 'US',
  region: 'US-CA',
  region_name: 'California',
  region_zh: '加利福尼亚州',
  city: 'Mountain View',
  city_zh: '山景城',
} as const;

/** Records of `sources/<feed>.mmdb` by feed. */
export const VERDICTS: ReadonlyMap<string, Rows<Verdict>> = new Map<string, Rows<Verdict>>([
  [
    'own',
    [
      ['8.8.8.0/24', { country: 'US', isp: 'Google', basis: 'override' }],
      ['1.1.1.0/24', { country: 'AU' }],
    ],
  ],
  [
    'geolite2',
    [
      ['8.8.8.0/24', { ...MOUNTAIN_VIEW, latitude: 37.4056, longitude: -122.0775 }],
      ['197.159.160.0/19', { country: 'ST', latitude: 0, longitude: 0 }],
      ['2001:4860::/32', { country: 'US' }],
    ],
  ],
  [
    'dbip',
    [
      ['8.8.8.0/24', { ...MOUNTAIN_VIEW, latitude: 37.422, longitude: -122.085 }],
      ['1.1.1.0/24', { country: 'AU', city: 'Sydney' }],
    ],
  ],
  [
    'ip2region',
    [
      ['8.8.8.0/24', { country: 'US', region_zh: '加利福尼亚州', isp: '谷歌' }],
      [
        '202.96.192.0/18',
        { country: 'CN', region: 'CN-SH', region_zh: '上海', city_zh: '上海市', isp: '电信' },
      ],
    ],
  ],
]);
