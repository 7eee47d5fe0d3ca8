import type { AddressRecord, RouteRecord } from '../../pipeline/routing/route-schema.js';
import type { Rows } from './small-rows.js';

const LUMEN: RouteRecord = {
  prefix: '8.0.0.0/9',
  origin: 3356,
  origins: [{ asn: 3356, peers: 22, rpki: 'valid' }],
  rpki: 'valid',
  as_name: 'LEVEL3',
  as_country: 'US',
  upstreams: [{ asn: 1299, count: 3 }],
  neighbours: [{ asn: 1299, name: 'TWELVE99' }],
};
const GOOGLE = {
  origin: 15169,
  origins: [{ asn: 15169, peers: 22, rpki: 'valid' }],
  rpki: 'valid',
  as_name: 'GOOGLE',
  as_country: 'US',
  upstreams: [
    { asn: 6453, count: 4 },
    { asn: 3356, count: 2 },
  ],
  neighbours: [{ asn: 396982, name: 'GOOGLE-CLOUD-PLATFORM' }, { asn: 6453, name: 'AS6453' }, { asn: 64500 }],
} as const;
const CLOUDFLARE = { origin: 13335, as_name: 'CLOUDFLARENET', as_country: 'US' } as const;

/** Records of `routes.mmdb`. */
export const ROUTES: Rows<AddressRecord> = [
  [
    '8.0.0.0/9',
    { ...LUMEN, allocation: { prefix: '8.0.0.0/9', country: 'US', registry: 'arin', status: 'allocated' } },
  ],
  [
    '8.8.8.0/24',
    {
      prefix: '8.8.8.0/24',
      ...GOOGLE,
      parent: LUMEN,
      allocation: {
        prefix: '8.0.0.0/9',
        country: 'US',
        registry: 'arin',
        status: 'allocated',
        registered_as: 3356,
      },
    },
  ],
  [
    '2001:4860::/32',
    {
      prefix: '2001:4860::/32',
      ...GOOGLE,
      allocation: { prefix: '2001:4860::/32', country: 'US', registry: 'arin', status: 'allocated' },
    },
  ],
  [
    '1.1.1.0/24',
    {
      prefix: '1.1.1.0/24',
      ...CLOUDFLARE,
      rpki: 'valid',
      allocation: { prefix: '1.1.1.0/24', country: 'AU', registry: 'apnic', status: 'assigned' },
    },
  ],
  [
    '202.96.192.0/18',
    {
      prefix: '202.96.192.0/18',
      origin: 4134,
      rpki: 'invalid',
      as_name: 'CHINANET-BACKBONE',
      as_country: 'CN',
      upstreams: [{ asn: 3356, count: 5 }],
      neighbours: [{ asn: 3356, name: 'LEVEL3' }],
      line: '163',
      allocation: { prefix: '202.96.0.0/12', country: 'CN', registry: 'apnic', status: 'allocated' },
    },
  ],
  [
    '185.159.157.0/24',
    {
      prefix: '185.159.157.0/24',
      origin: 211398,
      rpki: 'unknown',
      as_name: 'PROTON',
      as_country: 'CH',
    },
  ],
  [
    '3.5.140.0/22',
    { prefix: '3.5.140.0/22', origin: 16509, rpki: 'valid', as_name: 'AMAZON-02', as_country: 'US' },
  ],
  [
    '185.1.2.0/24',
    {
      prefix: '185.1.2.0/24',
      ...CLOUDFLARE,
      origins: [
        { asn: 13335, peers: 12, rpki: 'valid' },
        { asn: 4134, peers: 5, rpki: 'invalid' },
      ],
      rpki: 'valid',
      upstreams: [
        { asn: 174, count: 7 },
        { asn: 3356, count: 5 },
      ],
    },
  ],
  [
    '80.81.192.0/21',
    {
      allocation: { prefix: '80.81.192.0/21', country: 'DE', registry: 'ripe', status: 'allocated' },
      exchange: { id: 31, name: 'DE-CIX Frankfurt', city: 'Frankfurt', country: 'DE' },
    },
  ],
];
