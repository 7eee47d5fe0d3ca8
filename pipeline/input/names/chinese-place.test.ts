import t from 'tap';
import { chinaRegionNamed, cutLeadingChinaRegion } from './china-regions.js';
import { claimPlace, type PlaceTexts } from './chinese-place.js';
import type { Claim } from '../claims/claim.js';

t.test('regions of China have short, common and full names', (t) => {
  for (const name of ['广西', '广西自治区', '广西壮族自治区'])
    t.equal(chinaRegionNamed(name)?.code, 'CN-GX', name);
  t.match(chinaRegionNamed('北京市'), { code: 'CN-BJ', name: '北京', isCity: true });
  t.match(chinaRegionNamed('吉林省'), { code: 'CN-JL', isCity: false });
  for (const name of ['吉林市', '台湾省', '香港', '', '海南州'])
    t.equal(chinaRegionNamed(name), undefined, name);
  t.equal(cutLeadingChinaRegion('内蒙古自治区呼和浩特市')?.rest, '呼和浩特市');
  t.equal(cutLeadingChinaRegion('黑龙江大庆')?.region.code, 'CN-HL');
  t.equal(cutLeadingChinaRegion('大庆'), undefined);
  t.end();
});

t.test(
  'regions of China become codes, other texts are kept, and Hong Kong, Macao and Taiwan are countries',
  (t) => {
    const cases: readonly [string, PlaceTexts, Claim][] = [
      ['CN', { region: '福建省', city: '福州市' }, { country: 'CN', region: 'CN-FJ', cityName: '福州市' }],
      ['CN', { region: '上海', city: '上海市' }, { country: 'CN', region: 'CN-SH', cityName: '上海市' }],
      ['CN', { region: '中国' }, { country: 'CN' }],
      ['CN', { region: '兵团' }, { country: 'CN', regionName: '兵团' }],
      ['CN', { region: '香港', city: '香港' }, { country: 'HK', cityName: '香港' }],
      ['CN', { city: '香港' }, { country: 'HK', cityName: '香港' }],
      ['CN', { region: '台湾省', city: '台湾' }, { country: 'TW' }],
      ['CN', { region: '台湾省', city: '台北市' }, { country: 'TW', cityName: '台北市' }],
      ['CN', { region: 'Macao' }, { country: 'MO' }],
      ['HK', { region: 'Kowloon', city: 'Mong Kok' }, { country: 'HK', cityName: 'Mong Kok' }],
      [
        'TW',
        { region: 'Taipei City', city: 'Taipei' },
        { country: 'TW', regionName: 'Taipei City', cityName: 'Taipei' },
      ],
      ['IN', { region: '印度' }, { country: 'IN' }],
      ['JP', { region: '福建省' }, { country: 'JP', regionName: '福建省' }],
      ['LU', { region: 'Luxembourg' }, { country: 'LU', regionName: 'Luxembourg' }],
      ['SG', { city: '新加坡' }, { country: 'SG', cityName: '新加坡' }],
    ];
    for (const [country, texts, claim] of cases) {
      t.same(claimPlace(country, texts), claim, `${country} ${Object.values(texts).join(' ')}`);
    }
    t.end();
  },
);
