import type { Request } from 'autocannon';

/** One thing that is asked for again and again. */
export interface Scenario {
  readonly name: string;
  readonly method: 'get' | 'post';
  /** Of the bare route, as @koa/router takes it. */
  readonly route: string;
  /** Sent in turn. */
  readonly requests: readonly Request[];
  readonly connections: number;
}

/** Enough that no server waits for its clients, nor for Redis: what is compared is a core that is busy all the time. */
const BUSY = 96;

/** Addresses of the made-up cities of a small release: /24s from 11.0.0.0 on. */
export function someAddresses(count: number, ballast: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    // A step that shares no factor with any ballast walks through all of it before it comes back.
    const network = (i * 7919) % ballast;
    return `${11 + (network >> 16)}.${(network >> 8) & 255}.${network & 255}.${1 + (i % 250)}`;
  });
}

/** What a benchmark of the server asks for. `key` is one of the enterprise plan. */
export function scenarios(key: string, ballast: number): readonly Scenario[] {
  const headers = { authorization: `Bearer ${key}` };
  const addresses = someAddresses(20_000, ballast);
  const lookup = { method: 'get', route: '/api/ip/:target', connections: BUSY } as const;
  const batch = JSON.stringify({ ips: ['8.8.8.8', ...addresses.slice(0, 499)] });
  return [
    { name: 'lookup, one address', ...lookup, requests: [{ path: '/api/ip/8.8.8.8?lang=en', headers }] },
    {
      name: 'lookup, 20,000 addresses',
      ...lookup,
      requests: addresses.map((ip) => ({ path: `/api/ip/${ip}?lang=en`, headers })),
    },
    {
      ...{ name: '/json', method: 'get', route: '/json', connections: BUSY },
      requests: [{ path: '/json?lang=en', headers: { 'x-forwarded-for': '8.8.8.8' } }],
    },
    {
      ...{ name: 'batch of 500', method: 'post', route: '/api/ip/batch', connections: 8 },
      requests: [
        {
          ...{ method: 'POST', path: '/api/ip/batch?lang=en', body: batch },
          headers: { ...headers, 'content-type': 'application/json' },
        },
      ],
    },
    {
      ...{ name: 'download', method: 'get', route: '/api/datasets/:dataset', connections: 4 },
      requests: [{ path: '/api/datasets/mmdb', headers }],
    },
  ];
}
