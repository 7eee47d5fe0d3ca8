import type { ServerConfig } from '../config.js';
import type { HttpClient } from '../egress/http-client.js';
import type { PublicHosts } from '../egress/public-hosts.js';
import { PerHostLimit } from './per-host-limit.js';
import { Port43Client } from './port43/port43-client.js';
import { RdapBootstrap } from './rdap/bootstrap.js';
import { RdapClient } from './rdap/rdap-client.js';
import { WhoisCache } from './whois-cache.js';
import { WhoisLookup } from './whois-lookup.js';

/** What whois lookups need besides the settings. */
export interface WhoisMeans {
  readonly http: Pick<HttpClient, 'request'>;
  readonly hosts: Pick<PublicHosts, 'require'>;
  /** Returns whether the memory of Redis is left to accounts. */
  readonly isMemoryTight?: () => boolean;
  readonly log?: (line: string) => void;
}

/** Without `redis` nothing is cached. */
type WhoisSettings = Pick<ServerConfig, 'rdapDirs' | 'allowLoopback' | 'upstreams'> &
  Partial<Pick<ServerConfig, 'redis'>>;

const NO_CACHE = { read: () => Promise.resolve(undefined), write: () => Promise.resolve() };

/** Opens the whois lookup of a process: its cache, its clients, and the watch on the bootstrap files. */
export function openWhois(
  { redis, rdapDirs, allowLoopback, upstreams }: WhoisSettings,
  { http, hosts, isMemoryTight, log = () => undefined }: WhoisMeans,
): { readonly whois: WhoisLookup; close(): void } {
  const bootstrap = new RdapBootstrap({ dirs: rdapDirs, allowPorts: allowLoopback, log });
  const cache = redis && new WhoisCache(redis, isMemoryTight);
  const limit = new PerHostLimit(CONCURRENCY);
  const rdap = new RdapClient({ bootstrap, http, limit });
  const { whoisRoot: root, whoisPort: port } = upstreams;
  const port43 = new Port43Client({ hosts, root, port, limit });
  return {
    whois: new WhoisLookup({ rdap, port43, cache: cache ?? NO_CACHE }),
    close: () => {
      bootstrap.close();
      cache?.close();
    },
  };
}

/** Concurrent queries per server (decision 25). */
const CONCURRENCY = 4;
