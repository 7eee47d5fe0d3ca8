import type { Logger } from 'pino';
import type { ServerConfig } from '../config.js';
import { FirstAddress } from '../dns/first-address.js';
import { ReverseDns } from '../dns/reverse-dns.js';
import { GlobalDns } from '../global-dns/global-dns.js';
import type { LiveFigures } from '../metrics/live-metrics.js';
import { openNodes, type Nodes } from '../nodes/open-nodes.js';
import type { Parts } from '../parts.js';
import { TcpProber } from '../probe/tcp-prober.js';
import type { ReservedSpace } from '../targets/reserved-space.js';
import { openWhois } from '../whois/open-whois.js';
import { openEgress } from './open-egress.js';

/** The parts that query upstream servers during a call. */
export interface LiveParts extends Pick<
  Parts,
  'guard' | 'dns' | 'resolver' | 'bulk' | 'hosts' | 'reverseDns' | 'globalDns' | 'whois' | 'prober' | 'nodes'
> {
  readonly probeNodes: Nodes;
  readonly figures: LiveFigures;
  close(): Promise<void>;
}

/** What the parts need besides the settings. */
export interface LiveMeans {
  readonly reserved: ReservedSpace;
  readonly isMemoryTight: () => boolean;
  readonly log: Logger;
}

/** Creates the parts. */
export function openLiveParts(config: ServerConfig, { reserved, isMemoryTight, log }: LiveMeans): LiveParts {
  const { guard, dns, bulkDns, hosts, http } = openEgress(config, reserved);
  const prober = new TcpProber();
  const probeNodes = openNodes({
    redis: config.redis,
    guard,
    times: config.nodeTimes,
    log: (line) => {
      log.info(line);
    },
  });
  const whois = openWhois(config, {
    http,
    hosts,
    isMemoryTight,
    log: (line) => {
      log.warn(line);
    },
  });
  const globalDns = new GlobalDns({ http, upstreams: config.upstreams });
  const { cacheUse } = whois.whois;
  return {
    guard,
    dns,
    hosts,
    prober,
    probeNodes,
    globalDns,
    resolver: new FirstAddress(dns),
    bulk: { dns: bulkDns, resolver: new FirstAddress(bulkDns) },
    reverseDns: new ReverseDns({ dns: bulkDns, reserved }),
    figures: {
      breakerStates: () => globalDns.breakerStates(),
      probesRunning: () => prober.running,
      cacheUse: { dns: dns.cacheUse, whois: cacheUse },
    },
    whois: whois.whois,
    nodes: probeNodes.relay,
    close: async () => {
      prober.close();
      probeNodes.close();
      whois.close();
      await http.close();
    },
  };
}
