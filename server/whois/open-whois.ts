import type { ServerConfig } from '../config.js';
import type { HttpClient } from '../egress/http-client.js';
import { PerHostLimit } from './per-host-limit.js';
import { RdapBootstrap } from './rdap/bootstrap.js';
import { RdapClient } from './rdap/rdap-client.js';
import type { RegistryClient } from './registry-client.js';
import { WhoisCache } from './whois-cache.js';
import { WhoisLookup } from './whois-lookup.js';

/** What the registries are asked with. */
export interface WhoisMeans {
  readonly http: Pick<HttpClient, 'request'>;
  readonly port43: RegistryClient;
  readonly log?: (line: string) => void;
}

/** Opens the whois lookup of a process: its cache, and the watch over the bootstrap files. */
export function openWhois(
  { redis, rdapDirs, allowLoopback }: Pick<ServerConfig, 'redis' | 'rdapDirs' | 'allowLoopback'>,
  { http, port43, log = () => undefined }: WhoisMeans,
): { readonly whois: WhoisLookup; close(): void } {
  const bootstrap = new RdapBootstrap({ dirs: rdapDirs, allowPorts: allowLoopback, log });
  const cache = new WhoisCache(redis);
  const rdap = new RdapClient({ bootstrap, http, limit: new PerHostLimit(CONCURRENCY) });
  return {
    whois: new WhoisLookup({ rdap, port43, cache }),
    close: () => {
      bootstrap.close();
      cache.close();
    },
  };
}

/** Questions that one server gets at a time (ruling 25). */
const CONCURRENCY = 4;
