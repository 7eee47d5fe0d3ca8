import t from 'tap';
import { encodeRecord } from './record-json.js';

/** A record with the same text in every field. */
function recordOf(text: string, number: number | null): Parameters<typeof encodeRecord>[0] {
  return {
    ...{ ip: text, version: 4, country: text, country_code: text, region: text, city: text },
    ...{ latitude: number, longitude: number, timezone: text, asn: number, org: text, isp: text },
    ...{ as_domain: text, continent: text, continent_code: text, ip_type: text, rdns: '' },
    ...{ location: text, is_reserved: false, is_proxy: true, proxy_type: text, usage_type: text },
    ...{ proxy_domain: text, proxy_isp: text, provider: text, threat: text, fraud_score: text },
    ...{ last_seen: text, is_cloud_idc: true, cloud_provider: text },
    ...(number === null && { is_anycast: true }),
  };
}

t.test('a record is encoded as by JSON.stringify', (t) => {
  const texts = [
    '',
    'plain',
    '上海 Zürich 🌍',
    '"quoted"',
    'back\\slash',
    'a\nb\t\u0000\u001f',
    '\ud800',
    'x\udfff',
  ];
  texts.push('\u007f\u2028', '"bgp":null', '${text}');
  for (const text of texts) {
    for (const number of [null, 0, -0, 1e-7, -122.0775, 4294967295]) {
      const { is_reserved, ...behind } = recordOf(text, number);
      const before = Object.entries(behind).slice(0, 18);
      const after = Object.entries(behind).slice(18);
      const bgp = { peers: [] };
      const wanted = JSON.stringify(
        Object.fromEntries([...before, ['is_reserved', is_reserved], ['bgp', bgp], ...after]),
      );
      t.equal(encodeRecord(recordOf(text, number), JSON.stringify(bgp)), wanted, JSON.stringify(number));
    }
  }
  t.end();
});
