import t from 'tap';
import { CANARIES, canariesOf, evaluateCanaries, type CanaryAnswer } from './canaries.js';

const ROUTES = canariesOf('ipatlas-ASN (compat=GeoLite2-ASN)');

const RIGHT: Readonly<Record<string, CanaryAnswer>> = {
  '8.8.8.8': { country: 'US' },
  '2002:808:808::1': { country: 'US' },
  '1.0.1.1': { country: 'CN' },
  '2001:4860:4860::8888': { country: 'US' },
  '1.1.1.1': { country: 'AU' },
  '::ffff:1.1.1.1': { country: 'AU' },
};

t.test('a good dataset passes every canary', (t) => {
  const results = evaluateCanaries((ip) => RIGHT[ip], CANARIES);
  t.equal(results.length, CANARIES.length);
  t.same(
    results.filter(({ passed }) => !passed),
    [],
  );
  t.end();
});

t.test('each wrong answer fails', (t) => {
  const cases: [string, CanaryAnswer | undefined, string, string][] = [
    ['8.8.8.8', { country: 'CN' }, 'CN', 'US'],
    ['8.8.8.8', {}, 'no country', 'US'],
    ['1.0.1.1', undefined, 'no record', 'CN'],
    ['10.0.0.1', { country: 'US' }, 'US', 'no record'],
    ['127.0.0.1', {}, 'no country', 'no record'],
    ['2001:db8::1', { country: 'US' }, 'US', 'no record'],
    ['::ffff:1.1.1.1', undefined, 'no record', 'the answer of 1.1.1.1 (AU)'],
    ['::ffff:1.1.1.1', { country: 'US' }, 'US', 'the answer of 1.1.1.1 (AU)'],
    ['2002:808:808::1', undefined, 'no record', 'the answer of 8.8.8.8 (US)'],
  ];
  for (const [wrong, answer, found, expected] of cases) {
    const results = evaluateCanaries((ip) => (ip === wrong ? answer : RIGHT[ip]), CANARIES);
    const result = results.find(({ ip }) => ip === wrong);
    t.same(result, { ip: wrong, passed: false, found, expected });
  }
  t.end();
});

t.test('another notation is compared by the whole answer, not only by country', (t) => {
  const answers: Record<string, CanaryAnswer & { city?: string }> = {
    a: { country: 'US', city: 'x' },
    b: { country: 'US', city: 'y' },
  };
  const [result] = evaluateCanaries((ip) => answers[ip], [{ ip: 'a', sameAs: 'b' }]);
  t.equal(result?.passed, false);
  t.end();
});

t.test('a table of routes has no special-purpose space', (t) => {
  t.ok(ROUTES.length > 0);
  t.same(canariesOf('ipatlas-Routes'), ROUTES);
  t.same(canariesOf('ipatlas-City'), CANARIES);
  const cloudflare = { asn: 13335 };
  const right = (ip: string) => (ip.endsWith('1.1.1.1') ? cloudflare : undefined);
  t.ok(evaluateCanaries(right, ROUTES).every(({ passed }) => passed));
  const wrong = evaluateCanaries(() => cloudflare, ROUTES).filter(({ passed }) => !passed);
  t.same(
    wrong.map(({ ip, found }) => `${ip} ${found}`),
    ['10.0.0.1 AS13335', '127.0.0.1 AS13335', '2001:db8::1 AS13335'],
  );
  t.end();
});

t.test('a file without addresses has no canaries', (t) => {
  for (const type of ['ipatlas-Verdicts-own', 'ipatlas-Networks', '']) t.same(canariesOf(type), [], type);
  t.end();
});

t.test('public resolvers must not be proxies, and special-purpose space has no record', (t) => {
  const services = canariesOf('ipatlas-ISP (compat=GeoIP2-ISP, GeoIP2-Anonymous-IP)');
  const right = (ip: string) => (/^(1|8|::ffff:1)\./.test(ip) ? { isProxy: false } : undefined);
  t.ok(services.length > ROUTES.length);
  t.ok(evaluateCanaries(right, services).every(({ passed }) => passed));
  const wrong = evaluateCanaries(() => ({ isProxy: true }), services).filter(({ passed }) => !passed);
  t.same(
    wrong.map(({ ip, found, expected }) => `${ip}: ${found}, not ${expected}`),
    [
      '1.1.1.1: a proxy, not no proxy',
      '1.0.0.1: a proxy, not no proxy',
      '8.8.8.8: a proxy, not no proxy',
      '8.8.4.4: a proxy, not no proxy',
      '2606:4700:4700::1111: a proxy, not no proxy',
      '2001:4860:4860::8888: a proxy, not no proxy',
      '10.0.0.1: a proxy, not no record',
      '127.0.0.1: a proxy, not no record',
      '2001:db8::1: a proxy, not no record',
    ],
  );
  t.end();
});

t.test('evidence has no special-purpose space', (t) => {
  const evidence = canariesOf('ipatlas-Evidence');
  t.ok(evaluateCanaries(() => undefined, evidence).every(({ passed }) => passed));
  t.equal(evaluateCanaries(() => ({}), evidence).filter(({ passed }) => !passed).length, 3);
  t.end();
});
