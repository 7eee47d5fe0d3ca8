import t from 'tap';
import { COUNTRY_NAMES } from './country-name-table.js';
import { countryNamed, cutLeadingCountry, namesManyCountries } from './country-names.js';
import { countryCodes } from './iso3166.js';

t.test(
  'every country of ISO 3166-1 has an English and a Chinese name, and no name has two countries',
  (t) => {
    t.same(Object.keys(COUNTRY_NAMES).sort(), countryCodes());
    for (const [code, names] of Object.entries(COUNTRY_NAMES)) {
      t.match(names, /[a-z]/i, code);
      t.match(names, /\p{Script=Han}/u, code);
      for (const name of names.split('|')) t.equal(countryNamed(name), code, name);
    }
    t.end();
  },
);

t.test(
  'names are found in other case, without diacritics or brackets, and by official and former names',
  (t) => {
    const cases: readonly [string, string][] = [
      ['united states', 'US'],
      ['Cote d’Ivoire', 'CI'],
      ['Curacao', 'CW'],
      ['Türkiye', 'TR'],
      ['Turkey', 'TR'],
      ['Korea, Republic of', 'KR'],
      ['Russian Federation', 'RU'],
      ['St. Kitts & Nevis', 'KN'],
      ['Saint Kitts and Nevis', 'KN'],
      ['刚果（金）', 'CD'],
      ['刚果布', 'CG'],
      ['孟加拉', 'BD'],
      ['多米尼加', 'DO'],
      ['多米尼克', 'DM'],
      ['马其顿', 'MK'],
      ['香港', 'HK'],
      ['中国澳门', 'MO'],
      ['台湾省', 'TW'],
      ['Taiwan, Province of China', 'TW'],
    ];
    for (const [name, code] of cases) t.equal(countryNamed(name), code, name);
    for (const name of ['', 'CN', '安的列斯', '欧洲', 'Yugoslavia', '美国加利福尼亚州', '广东省']) {
      t.equal(countryNamed(name), undefined, name);
    }
    t.end();
  },
);

t.test('continents are groups of countries, countries are not', (t) => {
  for (const name of ['欧洲', '亚太地区', '北美地区', 'Asia/Pacific Region'])
    t.ok(namesManyCountries(name), name);
  for (const name of ['中国', '', '安的列斯', '欧洲瑞典']) t.notOk(namesManyCountries(name), name);
  t.end();
});

t.test('the longest Chinese name at the beginning of a text is cut off', (t) => {
  t.same(cutLeadingCountry('印度尼西亚雅加达'), { country: 'ID', rest: '雅加达' });
  t.same(cutLeadingCountry('印度孟买'), { country: 'IN', rest: '孟买' });
  t.same(cutLeadingCountry('几内亚比绍'), { country: 'GW', rest: '' });
  t.same(cutLeadingCountry('中国台湾台北市'), { country: 'TW', rest: '台北市' });
  t.same(cutLeadingCountry('刚果（金）金沙萨'), { country: 'CD', rest: '金沙萨' });
  t.equal(cutLeadingCountry('浙江省杭州市'), undefined);
  t.equal(cutLeadingCountry('Japan'), undefined);
  t.equal(cutLeadingCountry(''), undefined);
  t.end();
});
