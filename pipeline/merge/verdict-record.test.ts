import t from 'tap';
import type { Claim } from '../input/claims/claim.js';
import { Gazetteer } from '../gazetteer/gazetteer.js';
import { readMetadata } from '../mmdb/metadata.js';
import { encodeMmdb } from '../mmdb/write.js';
import { verifyMmdb } from '../mmdb/verify.js';
import { parsePrefix } from '../net/prefix.js';
import { PrefixTable } from '../table/prefix-table.js';
import { VERDICT_LANGUAGES, VERDICT_SCHEMA, verdictOf } from './verdict-record.js';

const CITY = { id: 10, kind: 'city', continent: 'AS', country: 'CN' } as const;
const gazetteer = new Gazetteer({
  continents: [],
  regions: [
    { code: 'CN-GD', country: 'CN', names: { en: 'Guangdong', 'zh-CN': '广东省' } },
    { code: 'CN-BJ', country: 'CN', names: { 'zh-CN': '北京市' } },
  ],
  places: [
    {
      ...CITY,
      region: 'CN-GD',
      names: { en: 'Guangzhou', 'zh-CN': '广州市' },
      latitude: 23.1,
      longitude: 113.2,
    },
    { ...CITY, id: 11, names: { en: 'Foshan' } },
  ],
});
const verdict = (claim: Claim) => verdictOf(claim, gazetteer);

const FULL: Claim = {
  country: 'CN',
  region: 'CN-GD',
  cityId: 10,
  latitude: 0,
  longitude: -0.5,
  isp: 'China Telecom',
  basis: 'geofeed',
  anycast: 'stated',
};

t.test('places with ids are named in both languages', (t) => {
  t.same(verdict({ country: 'CN', region: 'CN-GD', cityId: 10 }), {
    country: 'CN',
    region: 'CN-GD',
    region_name: 'Guangdong',
    region_zh: '广东省',
    city_id: 10,
    city: 'Guangzhou',
    city_zh: '广州市',
  });
  t.same(verdict({ country: 'CN', cityId: 11 }), { country: 'CN', city_id: 11, city: 'Foshan' });
  t.match(
    verdict({ country: 'CN', cityId: 10, cityName: '羊城' }),
    { city: 'Guangzhou' },
    'not the feed’s spelling',
  );
  t.end();
});

t.test('the feed’s spelling is used if the gazetteer has no English name', (t) => {
  const texts: Claim = { country: 'CN', regionName: 'Canton', cityName: 'Kwangchow' };
  t.same(verdict(texts), { country: 'CN', region_name: 'Canton', city: 'Kwangchow' });
  t.same(verdict({ ...texts, region: 'CN-XX', cityId: 999 }), {
    country: 'CN',
    region: 'CN-XX',
    region_name: 'Canton',
    city_id: 999,
    city: 'Kwangchow',
  });
  t.same(verdict({ region: 'CN-BJ', regionName: 'Peking' }), {
    region: 'CN-BJ',
    region_name: 'Peking',
    region_zh: '北京市',
  });
  t.same(verdict({ region: 'CN-XX', cityId: 999 }), { region: 'CN-XX', city_id: 999 });
  t.end();
});

t.test('coordinates are those of the feed, never the gazetteer’s', (t) => {
  t.notOk('latitude' in verdict({ country: 'CN', cityId: 10 }));
  t.match(verdict({ country: 'CN', cityId: 10, latitude: 0, longitude: -0.5 }), {
    latitude: 0,
    longitude: -0.5,
  });
  t.end();
});

t.test('a verdict has the basis of the claim, absent for an ordinary observation', (t) => {
  for (const basis of ['override', 'geofeed', 'registration'] as const) {
    t.same(verdict({ country: 'FR', basis }), { country: 'FR', basis });
  }
  t.same(verdict({ country: 'FR' }), { country: 'FR' });
  t.end();
});

t.test('the ISP is the feed’s, else the AS name', (t) => {
  t.same(verdict({ isp: 'Telecom', asName: 'CHINANET' }), { isp: 'Telecom' });
  t.same(verdict({ asName: 'CHINANET', asn: 4134 }), { isp: 'CHINANET' });
  t.end();
});

t.test('a network is marked as anycast, whoever says so', (t) => {
  t.same(verdict({ country: 'CN', anycast: 'stated' }), { country: 'CN', is_anycast: true });
  t.same(verdict({ anycast: 'listed' }), { is_anycast: true });
  t.end();
});

t.test('other fields of a claim are not written', (t) => {
  const rest: Claim = { registeredCountry: 'CN', accuracyClass: 1, timeZone: 'Asia/Shanghai', radiusKm: 5 };
  t.same(verdict(rest), {});
  t.end();
});

t.test('verdicts fit their schema, other records are rejected', (t) => {
  const encode = (record: object) => {
    const prefix = parsePrefix('1.0.0.0/24')!;
    const table = new PrefixTable();
    table.insert(prefix.address, prefix.length, 0);
    return encodeMmdb({
      table: table.flatten(),
      records: [record],
      schema: VERDICT_SCHEMA,
      databaseType: 'ipatlas-Source',
      description: { en: 'test' },
      languages: VERDICT_LANGUAGES,
      ipVersion: 6,
      buildEpoch: 1,
    });
  };
  t.equal(Object.keys(verdict(FULL)).length, 12, 'every field');
  t.same(readMetadata(encode(verdict(FULL))).metadata.languages, ['en', 'zh-CN']);
  t.same(verifyMmdb(encode(verdict(FULL)), { schema: VERDICT_SCHEMA }).problems, []);
  t.throws(() => encode({ ...verdict(FULL), city_id: 'Guangzhou' }));
  t.end();
});
