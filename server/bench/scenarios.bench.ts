import type { Request } from 'autocannon';

/** Requests to one route, repeated during a run. */
export interface Scenario {
  readonly name: string;
  readonly method: 'get' | 'post';
  /** Path of the bare route in the syntax of @koa/router. */
  readonly route: string;
  /** Sent in turn. */
  readonly requests: readonly Request[];
  readonly connections: number;
}

/** Enough connections to keep one core busy, so that no server waits for its clients or for Redis. */
const BUSY = 96;

/** Returns addresses of the made-up cities of a small release: /24s from 11.0.0.0 on. */
export function someAddresses(count: number, ballast: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    // 7919 is prime and divides no ballast, so every city is used before one repeats.
    const network = (i * 7919) % ballast;
    return `${11 + (network >> 16)}.${(network >> 8) & 255}.${network & 255}.${1 + (i % 250)}`;
  });
}

/** Returns the scenarios of the benchmark. `key` is a key of the enterprise plan. */
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
      name: '/json',
      method: 'get',
      route: '/json',
      connections: BUSY,
      requests: [{ path: '/json?lang=en', headers: { 'x-forwarded-for': '8.8.8.8' } }],
    },
    {
      name: 'batch of 500',
      method: 'post',
      route: '/api/ip/batch',
      connections: 8,
      requests: [
        {
          method: 'POST',
          path: '/api/ip/batch?lang=en',
          body: batch,
          headers: { ...headers, 'content-type': 'application/json' },
        },
      ],
    },
    {
      name: 'download',
      method: 'get',
      route: '/api/datasets/:dataset',
      connections: 4,
      requests: [{ path: '/api/datasets/mmdb', headers }],
    },
  ];
}
