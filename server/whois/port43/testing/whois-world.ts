import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import { PerHostLimit } from '../../per-host-limit.js';
import { Port43Client, type Port43Options } from '../port43-client.js';
import { MapDns, publicHostsOf } from './map-dns.js';
import { WhoisServer, type WhoisReply } from './whois-server.js';

const REGISTRY_DIR = fileURLToPath(new URL('../../../../../fixtures/feeds/iana', import.meta.url));

/** Replies by server name. The root server is `whois.iana.org`. */
export type WhoisWorld = Readonly<Record<string, Readonly<Record<string, WhoisReply>>>>;

/** Whois servers on different loopback addresses with one port, and a client for them. */
export interface RunningWorld {
  readonly client: Port43Client;
  readonly dns: MapDns;
  readonly port: number;
  readonly server: (name: string) => WhoisServer;
}

/** Host name of the root server. */
export const ROOT = 'whois.iana.org';

/** Starts the servers. Closed when the test ends. */
export async function startWorld(
  test: Test,
  world: WhoisWorld,
  options: Partial<Pick<Port43Options, 'budgetMs' | 'connectMs'>> = {},
): Promise<RunningWorld> {
  const servers = new Map<string, WhoisServer>();
  test.teardown(() => Promise.all([...servers.values()].map((server) => server.close())));
  const addresses = new Map<string, readonly string[]>();
  let port = 0;
  for (const [name, replies] of Object.entries(world)) {
    const ip = `127.0.0.${2 + servers.size}`;
    const server = await WhoisServer.start(ip, port, replies);
    port = server.port;
    servers.set(name, server);
    addresses.set(name, [ip]);
  }
  const dns = new MapDns(addresses);
  const hosts = await publicHostsOf(dns, REGISTRY_DIR);
  const client = new Port43Client({ hosts, root: ROOT, port, limit: new PerHostLimit(4), ...options });
  return { client, dns, port, server: (name) => servers.get(name)! };
}
