import t from 'tap';
import { parsePrefix } from '../net/prefix.js';
import { judgeRegion } from './judge-region.js';
import { carrierNames, provinceOf } from './region-carriers.js';
import { REGIONS, type Region } from './regions.js';

const REGION_CODES = new Map(REGIONS.map((region) => [region.code, region]));
const beijingTelecom = REGION_CODES.get(156111)!;
const comcast = REGION_CODES.get(84001)!;

t.test('R31: codes are ISO 3166 numbers, or provinces and carriers of the mainland, each once', (t) => {
  t.equal(REGION_CODES.size, REGIONS.length);
  t.equal(REGIONS.length, 135);
  for (const { code, flag } of REGIONS) t.ok(flag !== 'CN' || Math.floor(code / 1000) === 156, `${code}`);
  t.end();
});

t.test('every subnet is a /24 whose host bits are zero, every label is there in both languages', (t) => {
  for (const { subnet, label } of REGIONS) {
    t.equal(parsePrefix(subnet)?.length, 96 + 24, subnet);
    t.ok(label.zh !== '' && label.en !== '', subnet);
  }
  t.end();
});

t.test('every region has a carrier that can be checked, all but CERNET of the mainland a province', (t) => {
  for (const region of REGIONS) {
    t.ok(carrierNames(region).length > 0, region.label.en);
    t.equal(
      provinceOf(region) !== undefined,
      region.flag === 'CN' && region.code !== 156004,
      region.label.en,
    );
  }
  t.end();
});

t.test('country, province and carrier that fit confirm a region', (t) => {
  const evidence = { country: 'CN', subdivision: 'BJ', isp: 'China Telecom' };
  t.same(judgeRegion(beijingTelecom, [evidence]), { kind: 'confirmed' });
  t.same(judgeRegion(comcast, [{ country: 'US', subdivision: 'NJ', isp: 'COMCAST-7922' }]), {
    kind: 'confirmed',
  });
  t.end();
});

t.test('each of the three that does not fit is a mismatch, whatever other addresses say', (t) => {
  const good = { country: 'CN', subdivision: 'BJ', isp: 'China Telecom' };
  const cases: [Region, object, string, string][] = [
    [beijingTelecom, { country: 'HK' }, 'CN', 'HK'],
    [beijingTelecom, { subdivision: 'SH' }, 'CN-BJ', 'CN-SH'],
    [beijingTelecom, { isp: 'China Unicom' }, 'Beijing China Telecom', 'China Unicom'],
  ];
  for (const [region, wrong, expected, found] of cases) {
    t.same(judgeRegion(region, [good, { ...good, ...wrong }]), { kind: 'mismatch', expected, found });
  }
  t.end();
});

t.test('what nobody knows neither confirms nor contradicts', (t) => {
  t.same(judgeRegion(comcast, [{ country: 'US' }]), { kind: 'country only' });
  t.same(judgeRegion(comcast, [{}, {}]), { kind: 'unknown' });
  t.same(judgeRegion(comcast, [{}, { country: 'US' }]), { kind: 'country only' });
  t.same(judgeRegion(comcast, []), { kind: 'unknown' });
  t.end();
});
