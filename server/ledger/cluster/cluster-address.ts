import type { ClusterNode } from 'ioredis';

/** Where a cluster is found, and how its servers are contacted. */
export interface ClusterAddress {
  readonly nodes: ClusterNode[];
  readonly options: { readonly username?: string; readonly password?: string; readonly tls?: object };
}

/**
 * Returns the address of a cluster from the URLs of some of its servers. They have one protocol, user and password,
 * because the servers that they name contact the others in the same way.
 */
export function clusterAddressOf(urls: readonly string[]): ClusterAddress {
  const parsed = urls.map((url) => new URL(url));
  const { protocol, username, password } = parsed[0]!;
  return {
    nodes: parsed.map(({ hostname, port }) => ({
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(port || DEFAULT_PORT),
    })),
    options: {
      ...(username !== '' && { username: decodeURIComponent(username) }),
      ...(password !== '' && { password: decodeURIComponent(password) }),
      ...(protocol === 'rediss:' && { tls: {} }),
    },
  };
}

const DEFAULT_PORT = 6379;
