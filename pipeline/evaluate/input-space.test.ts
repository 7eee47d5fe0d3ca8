import t, { type Test } from 'tap';
import { parsePrefix } from '../net/prefix.js';
import { InputSpace } from './input-space.js';
import { verdictFile } from './testing/known-world.js';

function space(t: Test): InputSpace {
  return new InputSpace(
    verdictFile(t, {
      '10.0.0.0/8': { country: 'FR', basis: 'registration' },
      '10.1.0.0/16': { country: 'FR', basis: 'geofeed' },
      '10.1.7.0/24': { country: 'FR', basis: 'registration' },
      '10.2.2.128/25': { country: 'DE', basis: 'override' },
      '10.4.0.0/16': { country: 'DE', basis: 'cloud' },
      '10.5.0.0/24': { country: 'DE', basis: 'exchange' },
      '10.6.0.0/16': { country: 'DE' },
      '2a00:1::/48': { country: 'DE', basis: 'geofeed' },
    }),
  );
}

t.test('input is found in a prefix that it covers, equals, or is inside', (t) => {
  const own = space(t);
  const cases: readonly [string, string | undefined, string][] = [
    ['10.1.2.0/24', 'geofeed', 'inside a geofeed row'],
    ['10.1.2.3/32', 'geofeed', 'one address of it'],
    ['10.1.0.0/16', 'geofeed', 'the row itself'],
    ['10.0.0.0/14', 'geofeed', 'covers rows'],
    ['10.0.0.0/7', 'geofeed', 'covers rows, the first of them counts'],
    ['10.2.2.0/23', 'override', 'covers an override in its second half'],
    ['10.2.2.128/26', 'override', 'inside an override'],
    ['10.4.9.0/24', 'cloud', 'inside a region of a cloud'],
    ['10.5.0.0/16', 'exchange', 'covers the LAN of an exchange'],
    ['10.6.1.0/24', 'geofeed', 'inside a row of a geofeed that no registration names for it'],
    ['2a00:1::/32', 'geofeed', 'covers a row in IPv6'],
    ['2a00:1:0:5::/64', 'geofeed', 'inside a row in IPv6'],
    ['::/0', 'geofeed', 'covers all'],
    ['10.2.2.0/25', undefined, 'beside an override'],
    ['10.1.7.0/24', undefined, 'cut out of a geofeed row'],
    ['10.3.0.0/16', undefined, 'a registration is no input'],
    ['11.0.0.0/8', undefined, 'nothing is stated'],
    ['2a00:2::/32', undefined, 'nothing is stated in IPv6'],
  ];
  for (const [text, basis, why] of cases)
    t.equal(own.basisWithin(parsePrefix(text)!), basis, `${text}: ${why}`);
  t.end();
});

t.test('a record of another schema is rejected', (t) => {
  const { table } = verdictFile(t, { '10.0.0.0/8': { country: 'FR' } });
  const own = new InputSpace({ table, records: [{ basis: 'rumour' }] });
  t.throws(() => own.basisWithin(parsePrefix('10.0.0.0/8')!), { name: 'ZodError' });
  t.end();
});
