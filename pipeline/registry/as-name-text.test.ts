import t from 'tap';
import { parseAsName } from './as-name-text.js';

/** The name and the entity of a text. */
function split(text: string, asn = 200_000, country?: string): (string | undefined)[] {
  const { name, entity } = parseAsName(text, { asn, country }) ?? {};
  return [name, entity];
}

t.test('the first word is the handle if it looks like one', (t) => {
  t.same(split('CHINANET-BACKBONE No.31,Jin-rong Street'), ['CHINANET-BACKBONE', 'No.31,Jin-rong Street']);
  t.same(split('Deloitte-AS Deloitte Ltd'), ['Deloitte-AS', 'Deloitte Ltd']);
  t.same(split('KPN KPN National'), ['KPN', 'KPN National']);
  t.same(split('TELKOM - Telkom Ltd'), ['TELKOM', 'Telkom Ltd']);
  t.same(split('COMCAST-7922'), ['COMCAST-7922', undefined]);
  t.end();
});

t.test('a text without a handle is a name as a whole', (t) => {
  const NAMES = ['France Telecom - Orange', 'Tele2 Sverige', 'vertical GmbH ASN', 'Klayer', 'Moscow, Russia'];
  for (const text of NAMES) t.same(split(text), [text, undefined]);
  t.end();
});

t.test('a legal form is no holder of its own', (t) => {
  for (const text of ['KPN BV', 'GOLINE SA', 'OHOST LLC', 'N_SYS s.r.o.'])
    t.same(split(text), [text, undefined]);
  t.same(split('ICTELECOM - LTDA', 266_370, 'BR'), ['ICTELECOM - LTDA', undefined]);
  t.end();
});

t.test('LACNIC has holders only, unless a dash follows a handle', (t) => {
  t.same(split('BIT X S.A.', 264_000, 'AR'), ['BIT X S.A.', undefined]);
  t.same(split('BIT X S.A.', 200_000, 'AR'), ['BIT', 'X S.A.']);
  t.same(split('CEPEL - Centro de Pesquisas', 28_574, 'BR'), ['CEPEL', 'Centro de Pesquisas']);
  t.same(split('Turbonet - Banda Larga', 269_287, 'BR'), ['Turbonet - Banda Larga', undefined]);
  t.end();
});

t.test('ARIN has handles only, some of them with spaces', (t) => {
  t.same(split('MUNICH RE AMERICA SERVICES', 26_944, 'US'), ['MUNICH RE AMERICA SERVICES', undefined]);
  t.same(split('WOVEN PLANET L5', 397_178, 'US'), ['WOVEN PLANET L5', undefined]);
  t.same(split('GTT-BACKBONE GTT', 3257, 'US'), ['GTT-BACKBONE', 'GTT']);
  t.same(split('EDGOO EDGOO NETWORKS', 47_787, 'US'), ['EDGOO', 'EDGOO NETWORKS']);
  t.same(split('HIGHBRIDGELDN HIGHBRIDGE LONDON', 24_910, 'US'), ['HIGHBRIDGELDN', 'HIGHBRIDGE LONDON']);
  t.same(split('MUNICH RE AMERICA', 200_000, 'US'), ['MUNICH', 'RE AMERICA']);
  t.end();
});

t.test('APNIC\u2019s remark about the syntax of handles is cut off', (t) => {
  const remark = '# AS-X CONVERTED TO ASN-X FOR RPSL COMPLIANCE';
  t.same(split(`ASN-X ${remark} Datacom Co.,Ltd`), ['ASN-X', 'Datacom Co.,Ltd']);
  t.same(split(`ASN-X ${remark}`), ['ASN-X', undefined]);
  t.end();
});

t.test('placeholders are no names', (t) => {
  for (const text of ['', '-Reserved AS-', '-Private Use AS-', 'AS-']) {
    t.equal(parseAsName(text, { asn: 1, country: undefined }), undefined);
  }
  t.strictSame(parseAsName('ONE', { asn: 1, country: 'US' }), { name: 'ONE', country: 'US' });
  t.end();
});
