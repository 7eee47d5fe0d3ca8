import type { NetworkRecord } from '../../pipeline/routing/network-records.js';
import type { PeeringIndex } from '../../pipeline/routing/peering-index.js';

/** Records of `networks.mmdb`. */
export const NETWORKS: readonly NetworkRecord[] = [
  {
    asn: 3356,
    name: 'LEVEL3',
    entity: 'Level 3 Parent, LLC',
    country: 'US',
    registry: 'arin',
    status: 'assigned',
    in_use: true,
    ipv4_prefixes: ['8.0.0.0/9'],
  },
  {
    asn: 4134,
    name: 'CHINANET-BACKBONE',
    entity: 'CHINANET-BACKBONE',
    country: 'CN',
    registry: 'apnic',
    status: 'allocated',
    in_use: true,
    ipv4_prefixes: ['202.96.192.0/18'],
    topology: { upstreams: [{ asn: 3356, power: 5, name: 'LEVEL3', power4: 5 }] },
  },
  {
    asn: 13335,
    name: 'CLOUDFLARENET',
    entity: 'Cloudflare, Inc.',
    country: 'US',
    registry: 'arin',
    status: 'assigned',
    date: '2010-07-14',
    in_use: true,
    ipv4_prefixes: ['1.1.1.0/24', '185.1.2.0/24'],
    topology: {
      peers: [
        { asn: 15169, power: 9, name: 'GOOGLE', power4: 9 },
        { asn: 3356, power: 4 },
      ],
    },
  },
  {
    asn: 15169,
    name: 'GOOGLE',
    entity: 'Google LLC',
    country: 'US',
    registry: 'arin',
    status: 'assigned',
    date: '2000-03-30',
    in_use: true,
    ipv4_prefixes: ['8.8.8.0/24'],
    ipv6_prefixes: ['2001:4860::/32'],
    topology: {
      upstreams: [
        { asn: 6453, power: 10, name: 'AS6453', power4: 10, power6: 3 },
        { asn: 3356, power: 6, name: 'LEVEL3' },
      ],
      downstreams: [{ asn: 396982, power: 21, name: 'GOOGLE-CLOUD-PLATFORM' }],
      peers: [
        { asn: 13335, power: 9, name: 'CLOUDFLARENET' },
        { asn: 174, power: 2, uncertain: true },
      ],
    },
    exchanges: [{ id: 31, name: 'DE-CIX Frankfurt', city: 'Frankfurt', country: 'DE' }],
  },
  {
    asn: 211398,
    name: 'PROTON',
    country: 'CH',
    registry: 'ripe',
    status: 'allocated',
    in_use: true,
    ipv4_prefixes: ['185.159.157.0/24'],
  },
  {
    asn: 394977,
    entity: 'Silent Networks',
    country: 'CA',
    registry: 'arin',
    status: 'assigned',
    in_use: false,
  },
  // A 32-bit number with the highest bit set.
  { asn: 4_199_999_999, name: 'LAST', registry: 'ripe', status: 'allocated', in_use: false },
];

const EXAMPLES = Array.from({ length: 25 }, (_, i) => ({
  asn: 65000 + i,
  name: `Example Net ${i}`,
  info_type: 'Content',
}));

/** `peering.json`: 25 networks and 22 facilities match "example"; one network is known by another name. */
export const PEERING: PeeringIndex = {
  nets: [
    { asn: 701, name: 'Verizon', aka: 'UUNET, MCI, Verizon Business', info_type: 'NSP' },
    { asn: 13335, name: 'Cloudflare', info_type: 'Content' },
    { asn: 15169, name: 'Google LLC', aka: 'Google, YouTube' },
    ...EXAMPLES,
    { asn: 133351, name: 'Straße und Ärger' },
  ],
  facs: [
    ...Array.from({ length: 22 }, (_, i) => ({
      id: 1 + i,
      name: `Example House ${i}`,
      city: 'London',
      country: 'GB',
    })),
    { id: 58, name: 'Equinix FR5', city: 'Frankfurt', country: 'DE' },
    { id: 900, name: 'Nowhere Hall' },
  ],
};
