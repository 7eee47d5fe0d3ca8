import t from 'tap';
import { pseudoRandom } from '../table/networks.fixture.js';
import { spaceByAs } from './as-space.js';
import { inputsOf, listOf, originsOf } from './testing/isp-inputs.js';

const CARRIER = { asn: 64_496 };
const HOSTER = { asn: 64_497 };
/** The same AS as CARRIER in another record. */
const SAME = { asn: 64_496, name: 'SAME' };

const DATA_CENTRE = { type: 'DCH', isHosting: true } as const;

t.test('space, inferred data centres and stated usages are counted by AS', (t) => {
  const origins = originsOf({
    '20.0.0.0/16': CARRIER,
    '21.0.0.0/16': SAME,
    '22.0.0.0/24': HOSTER,
    '2400::/32': CARRIER,
    '2500::/32': { asn: 64_498 },
  });
  const lists = [
    listOf('x4bnet', {
      '20.0.0.0/18': DATA_CENTRE,
      '22.0.0.0/25': DATA_CENTRE,
      '23.0.0.0/8': DATA_CENTRE,
      '20.0.128.0/24': { type: 'VPN' },
      '2400::/32': DATA_CENTRE,
      '2500::/34': DATA_CENTRE,
    }),
    listOf('ip2proxy', {
      '20.0.0.1/32': { type: 'RES', usageType: 'ISP' },
      '21.0.0.1/32': { type: 'RES', usageType: 'MOB' },
      '21.0.0.9/32': { type: 'PUB', usageType: 'MOB' },
      '21.0.1.0/24': { type: 'DCH', usageType: 'DCH' },
      '21.0.2.0/24': { type: 'VPN' },
      '22.0.0.1/32': { type: 'RES', usageType: 'ISP/MOB' },
      '30.0.0.1/32': { type: 'RES', usageType: 'ISP' },
    }),
    listOf('tor', { '20.0.0.0/16': DATA_CENTRE }),
  ];
  const spaces = spaceByAs(origins, lists);
  t.equal(spaces.size, 3);
  const carrier = spaces.get(CARRIER.asn)!;
  t.same([carrier.addresses, carrier.dataCentreShare], [2 ** 17, 1 / 8], 'IPv6 does not count beside IPv4');
  t.same([...Array.from(carrier.votes)], [1, 0, 2, 1]);
  const hoster = spaces.get(HOSTER.asn)!;
  t.same([hoster.addresses, hoster.dataCentreShare], [256, 0.5]);
  t.same([...Array.from(hoster.votes)], [0, 1, 0, 0]);
  const newer = spaces.get(64_498)!;
  t.same([newer.addresses, newer.dataCentreShare], [0, 0.25]);
  t.end();
});

t.test('the shares agree with a scan of every address', (t) => {
  const random = pseudoRandom(17);
  for (let round = 0; round < 20; round++) {
    const rows = <T>(values: readonly T[], count: number): Record<string, T> =>
      Object.fromEntries(
        Array.from({ length: count }, () => [`20.0.0.${random(32) * 8}/29`, values[random(values.length)]!]),
      );
    const owned = rows([CARRIER, HOSTER], 24);
    const listed = rows([DATA_CENTRE], 12);
    const spaces = spaceByAs(originsOf(owned), inputsOf({ lists: [listOf('x4bnet', listed)] }).lists);
    for (const { asn } of [CARRIER, HOSTER]) {
      const own = Object.keys(owned).filter((prefix) => owned[prefix]!.asn === asn);
      const inside = own.filter((prefix) => prefix in listed);
      t.equal(spaces.get(asn)!.addresses, 8 * own.length);
      t.equal(spaces.get(asn)!.dataCentreShare, inside.length / own.length);
    }
  }
  t.end();
});
