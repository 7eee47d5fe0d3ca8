import type { SilentWorld } from './silent-world.bench.js';

/** A call to a silent upstream, with its time budget. */
export interface Endpoint {
  readonly name: string;
  readonly budgetMs: number;
  /** The expected result. */
  readonly status: number;
  /** A new path for each call, so calls do not share answers. */
  readonly path: () => string;
  readonly body?: () => unknown;
}

/** Calls without upstreams. */
export const AT_ONCE: Endpoint = { name: 'ip', budgetMs: 0, status: 200, path: () => '/api/ip/8.8.8.8' };

/** Returns the endpoints that query upstreams. `node` is the code of an online node. */
export function endpointsOf(
  { hostName, address, droppingPort }: SilentWorld,
  node: string,
): readonly Endpoint[] {
  let asn = 1000;
  let target = 0;
  // Fewer hosts than an account may probe in an hour (decision 67).
  const here = (): string => `127.1.1.${1 + (target++ % 250)}:${droppingPort}`;
  const addresses = (): string => Array.from({ length: 6 }, address).join();
  return [
    { name: 'ip of a name', budgetMs: 5000, status: 502, path: () => `/api/ip/${hostName()}` },
    { name: 'sources of a name', budgetMs: 5000, status: 502, path: () => `/api/ip/${hostName()}/sources` },
    {
      name: 'batch of 8 names',
      budgetMs: 15_000,
      status: 200,
      path: () => '/api/ip/batch',
      body: () => ({ ips: Array.from({ length: 8 }, hostName) }),
    },
    { name: 'dns', budgetMs: 5000, status: 502, path: () => `/api/dns/${hostName()}` },
    { name: 'dns, one type', budgetMs: 5000, status: 502, path: () => `/api/dns/${hostName()}/A` },
    { name: 'rdns', budgetMs: 3000, status: 200, path: () => `/api/rdns?ips=${addresses()}` },
    { name: 'whois, domain', budgetMs: 12_000, status: 502, path: () => `/api/whois/${hostName()}` },
    { name: 'whois, address', budgetMs: 12_000, status: 502, path: () => `/api/whois/${address()}` },
    { name: 'whois, AS', budgetMs: 12_000, status: 502, path: () => `/api/whois/AS${asn++}` },
    {
      name: 'global dns',
      budgetMs: 6000,
      status: 200,
      path: () => `/dns_global/api/query?domain=${hostName()}&provider=0`,
    },
    { name: 'tcping of a name', budgetMs: 3000, status: 502, path: () => `/api/tcping/${hostName()}` },
    {
      name: 'tcping, 4 x 1 s',
      budgetMs: 4400,
      status: 200,
      path: () => `/api/tcping/${here()}?count=4&timeout=1000`,
    },
    {
      name: 'tcping from a node',
      budgetMs: 14_000,
      status: 504,
      path: () => `/api/tcping/${here()}?node=${node}`,
    },
  ];
}
