import type { ServerConfig } from '../config.js';
import type { EgressGuard } from '../egress/egress-guard.js';
import { GlobalDns } from '../global-dns/global-dns.js';
import type { ReservedSpace } from '../targets/reserved-space.js';
import { openWhois } from '../whois/open-whois.js';
import type { WhoisLookup } from '../whois/whois-lookup.js';
import { openEgress } from './open-egress.js';

/** What talks to the world while a caller waits; lives as long as the process. */
export interface LiveParts {
  readonly guard: EgressGuard;
  readonly globalDns: GlobalDns;
  readonly whois: WhoisLookup;
  close(): Promise<void>;
}

/** Makes it. `log` hears what operators should know. */
export function openLiveParts(
  config: ServerConfig,
  reserved: ReservedSpace,
  log: (line: string) => void,
): LiveParts {
  const { guard, http } = openEgress(config, reserved);
  const port43 = { ask: () => Promise.resolve({ kind: 'no-registry' } as const) };
  const globalDns = new GlobalDns({ http, upstreams: config.upstreams });
  const whois = openWhois(config, { http, port43, log });
  return {
    guard,
    globalDns,
    whois: whois.whois,
    close: async () => {
      whois.close();
      await http.close();
    },
  };
}
