import t from 'tap';
import { formatPrefix } from '../../pipeline/net/prefix.js';
import { parseCidr } from './find-route.js';

t.test('decision 37: host bits are masked, mapped IPv4 is unwrapped', (t) => {
  const cases: readonly [string, string][] = [
    ['8.8.8.0/24', '8.8.8.0/24'],
    ['8.8.8.8/24', '8.8.8.0/24'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['::ffff:8.8.8.8/120', '8.8.8.0/24'],
    ['2001:DB8::1/32', '2001:db8::/32'],
    ['::/0', '::/0'],
  ];
  for (const [text, expected] of cases) {
    const prefix = parseCidr(text);
    t.equal(prefix && formatPrefix(prefix.address, prefix.length, prefix.family), expected, text);
  }
  t.end();
});

t.test('text that is not a prefix is refused', (t) => {
  const wrong = [
    '8.8.8.8',
    '8.8.8.0/33',
    '8.8.8.0/-1',
    '8.8.8/24',
    '08.8.8.0/24',
    '::/129',
    'x/8',
    '/8',
    '8.8.8.0/',
    '',
  ];
  for (const text of wrong) t.equal(parseCidr(text), undefined, text);
  t.end();
});
