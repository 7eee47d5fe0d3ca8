import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { ServerConfig } from '../config.js';
import { proxyMatcher, unmapped } from '../http/client-address.js';
import { OpenConnections, shareOf } from '../http/connection-limits.js';
import type { ListenerOptions } from '../http/listener.js';
import { sourceOf } from '../ledger/subject.js';
import { RefusedConnections } from '../metrics/refused-connections.js';

/** Returns the count of this process's connections with its share of the limits, and the report of refused ones. */
export function limitedConnections(
  config: ServerConfig,
  { log, registry }: { readonly log: Logger; readonly registry: Registry },
): Required<Pick<ListenerOptions, 'connections' | 'onRefused'>> {
  const { workers, maxConnections, maxConnectionsPerSource, trustedProxies } = config;
  const connections = new OpenConnections({
    total: shareOf(maxConnections, workers),
    perSource: shareOf(maxConnectionsPerSource, workers),
    isExempt: proxyMatcher(trustedProxies),
  });
  const refused = new RefusedConnections(log);
  refused.addMetrics(registry, () => connections.total);
  return {
    connections,
    onRefused: (reason, { remoteAddress }) => {
      refused.add(reason, sourceOf(unmapped(remoteAddress) ?? 'a closed connection'));
    },
  };
}
