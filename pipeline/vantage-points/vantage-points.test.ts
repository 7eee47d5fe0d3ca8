import t from 'tap';
import { parsePrefix } from '../net/prefix.js';
import { judgeVantagePoint } from './judge-vantage-point.js';
import { carrierNames, provinceOf } from './carriers.js';
import { VANTAGE_POINTS, type VantagePoint } from './catalogue.js';

const VANTAGE_POINTS_BY_CODE = new Map(
  VANTAGE_POINTS.map((vantagePoint) => [vantagePoint.code, vantagePoint]),
);
const beijingTelecom = VANTAGE_POINTS_BY_CODE.get(156111)!;
const comcast = VANTAGE_POINTS_BY_CODE.get(84001)!;

t.test(
  'decision 31: codes are unique and derive from ISO 3166, or from province and carrier for mainland China',
  (t) => {
    t.equal(VANTAGE_POINTS_BY_CODE.size, VANTAGE_POINTS.length);
    t.equal(VANTAGE_POINTS.length, 135);
    for (const { code, flag } of VANTAGE_POINTS)
      t.ok(flag !== 'CN' || Math.floor(code / 1000) === 156, `${code}`);
    t.end();
  },
);

t.test('every subnet is a /24 with zero host bits, and every label exists in both languages', (t) => {
  for (const { subnet, label } of VANTAGE_POINTS) {
    t.equal(parsePrefix(subnet)?.length, 96 + 24, subnet);
    t.ok(label.zh !== '' && label.en !== '', subnet);
  }
  t.end();
});

t.test(
  'every vantage point has known carrier names; in mainland China all but CERNET have a province',
  (t) => {
    for (const vantagePoint of VANTAGE_POINTS) {
      t.ok(carrierNames(vantagePoint).length > 0, vantagePoint.label.en);
      t.equal(
        provinceOf(vantagePoint) !== undefined,
        vantagePoint.flag === 'CN' && vantagePoint.code !== 156004,
        vantagePoint.label.en,
      );
    }
    t.end();
  },
);

t.test('matching country, province and carrier confirm a vantage point', (t) => {
  const evidence = { country: 'CN', subdivision: 'BJ', isp: 'China Telecom' };
  t.same(judgeVantagePoint(beijingTelecom, [evidence]), { kind: 'confirmed' });
  t.same(judgeVantagePoint(comcast, [{ country: 'US', subdivision: 'NJ', isp: 'COMCAST-7922' }]), {
    kind: 'confirmed',
  });
  t.end();
});

t.test('a wrong country, province or carrier is a mismatch even if other addresses match', (t) => {
  const good = { country: 'CN', subdivision: 'BJ', isp: 'China Telecom' };
  const cases: [VantagePoint, object, string, string][] = [
    [beijingTelecom, { country: 'HK' }, 'CN', 'HK'],
    [beijingTelecom, { subdivision: 'SH' }, 'CN-BJ', 'CN-SH'],
    [beijingTelecom, { isp: 'China Unicom' }, 'Beijing China Telecom', 'China Unicom'],
  ];
  for (const [vantagePoint, wrong, expected, found] of cases) {
    t.same(judgeVantagePoint(vantagePoint, [good, { ...good, ...wrong }]), {
      kind: 'mismatch',
      expected,
      found,
    });
  }
  t.end();
});

t.test('an unknown field neither confirms nor contradicts', (t) => {
  t.same(judgeVantagePoint(comcast, [{ country: 'US' }]), { kind: 'country only' });
  t.same(judgeVantagePoint(comcast, [{}, {}]), { kind: 'unknown' });
  t.same(judgeVantagePoint(comcast, [{}, { country: 'US' }]), { kind: 'country only' });
  t.same(judgeVantagePoint(comcast, []), { kind: 'unknown' });
  t.end();
});
