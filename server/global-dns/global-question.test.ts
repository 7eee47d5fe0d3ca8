import t from 'tap';
import { VANTAGE_POINTS } from '../../pipeline/vantage-points/catalogue.js';
import { REGISTRIES } from '../egress/testing/loopback-world.js';
import { readReservedSpace } from '../targets/reserved-space.js';
import { DOH_RESOLVERS } from './doh-resolvers.js';
import { parseGlobalQuestion, type GlobalQuery } from './global-question.js';

const reserved = await readReservedSpace(REGISTRIES);
const parse = (query: Partial<GlobalQuery>) =>
  parseGlobalQuestion(
    { domain: 'example.com', type: undefined, provider: undefined, region: undefined, ...query },
    { resolvers: DOH_RESOLVERS, reserved },
  );

t.test('decision 30: a missing, unknown or non-data type is read as A', (t) => {
  for (const type of [
    undefined,
    '',
    'A',
    'a',
    'NONSENSE',
    'ANY',
    'AXFR',
    'OPT',
    'TYPE41',
    'TYPE255',
    'TYPE0',
    '1',
  ])
    t.equal(parse({ type }).type, 'A', String(type));
  for (const type of ['aaaa', 'MX', 'https', 'SVCB', 'CAA', 'DS', 'NAPTR', 'TYPE65280'])
    t.equal(parse({ type }).type, type.toUpperCase());
  t.end();
});

t.test('decision 30: the provider is an index from 0 to 13, and 0 when missing', (t) => {
  t.equal(parse({}).resolver?.name, 'Google');
  t.equal(parse({ provider: '' }).resolver?.name, 'Google');
  DOH_RESOLVERS.forEach((resolver, i) => t.equal(parse({ provider: String(i) }).resolver, resolver));
  for (const provider of ['14', '-1', '1.5', '1e0', 'google', ' 1', '0x1', '99999999999'])
    t.match(parse({ provider }), { resolver: undefined, error: 'invalid provider: expected 0-13' });
  t.end();
});

t.test(
  'decision 31: a vantage point is found by its code; an unknown code is an error and is echoed',
  (t) => {
    for (const vantagePoint of VANTAGE_POINTS)
      t.equal(parse({ region: String(vantagePoint.code) }).vantagePoint, vantagePoint);
    t.match(parse({}), { vantagePoint: undefined, vantagePointCode: undefined, error: undefined });
    t.match(parse({ region: '99999' }), {
      vantagePoint: undefined,
      vantagePointCode: 99999,
      error: /region/,
    });
    for (const region of ['beijing', '-1', '156111.0', '1e9', '9999999999999'])
      t.match(parse({ region }), { vantagePointCode: undefined, error: /region/ });
    t.end();
  },
);

t.test('decisions 16 and 17: only names in the public DNS are queried', (t) => {
  t.equal(parse({ domain: 'EXAMPLE.com.' }).name, 'example.com');
  t.equal(parse({ domain: 'bücher.example.com' }).name, 'xn--bcher-kva.example.com');
  t.equal(parse({ domain: '_DMARC.example.com' }).name, '_dmarc.example.com');
  t.equal(parse({ domain: '_sip._tcp.example.com' }).name, '_sip._tcp.example.com');
  // prettier-ignore
  const refused = [
    '', undefined, 'localhost', 'com', 'a.local', 'db.internal', 'x.home.arpa', 'a.onion', '_x.a.test',
    '127.0.0.1', '127.1', '0x7f.1', '::1', '[::1]', 'a..b.com', '-a.example.com', 'a b.example.com',
    'http://example.com', 'example.com/..', 'user@example.com', 'example.com:53', '%00.example.com', '_.com',
    'a_b.example.com', `${'_a.'.repeat(9)}example.com`, `_${'a'.repeat(63)}.example.com`, '_a.',
    `${'a.'.repeat(125)}example.com`, `_a._b.${'a.'.repeat(120)}example.com`,
  ];
  for (const domain of refused) {
    const { name, error } = parse({ domain });
    t.equal(name, undefined, String(domain));
    t.match(error, /^(missing|invalid) domain/, String(domain));
  }
  t.end();
});
