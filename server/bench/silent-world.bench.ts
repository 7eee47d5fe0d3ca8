import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { RedisAddress, ServerConfig } from '../config.js';
import { reverseNameOf } from '../dns/reverse-name.js';
import { openConnection } from '../ledger/open-connection.js';
import { NodeStore } from '../nodes/node-store.js';
import { FakeNode } from '../nodes/testing/fake-node.js';
import { place } from '../nodes/testing/node-server.js';
import { silentTarget } from '../probe/testing/tcp-targets.js';
import { DnsServer } from '../testing/dns-server.js';

/** Upstream servers on the loopback that never reply. */
export interface SilentWorld {
  /** Settings that make a server use these upstreams. */
  readonly config: Pick<ServerConfig, 'dnsServers' | 'rdapDirs' | 'allowLoopback' | 'upstreams'>;
  /** A port whose SYNs are dropped, at every address of 127.0.0.0/8. */
  readonly droppingPort: number;
  /** Returns a new host name without a reply. */
  readonly hostName: () => string;
  /** Returns a new public address. Its reverse name has no reply either. */
  readonly address: () => string;
  /** Connects a node that accepts every job and never finishes one. Returns its code. */
  connectNode(url: string, redis: RedisAddress): Promise<string>;
  close(): Promise<void>;
}

const RDAP_HOST = 'rdap.example.org';
const WHOIS_HOST = 'whois.example.org';
const DOH_HOST = 'doh.example.org';

/** Starts the upstreams. Writes the RDAP bootstrap files into `dir`. */
export async function startSilentWorld(dir: string): Promise<SilentWorld> {
  const closing: (() => unknown)[] = [];
  const port = await acceptingPort(closing);
  const dns = await DnsServer.start({
    [RDAP_HOST]: HERE,
    [WHOIS_HOST]: HERE,
    [DOH_HOST]: HERE,
    [KNOWN_HOST]: { addresses: ['8.8.8.8'], ttl: 0 },
  });
  const { port: droppingPort } = await silentTarget({ teardown: (end) => closing.push(end) });
  let count = 0;
  return {
    config: {
      dnsServers: [dns.address],
      rdapDirs: [writeBootstrap(dir, port)],
      allowLoopback: true,
      upstreams: {
        whoisRoot: WHOIS_HOST,
        whoisPort: port,
        dohResolvers: [{ name: 'silent', url: `https://${DOH_HOST}:${port}/dns-query`, addresses: [] }],
      },
    },
    droppingPort,
    hostName: () => silenced(dns, `silent-${count++}.com`),
    address: () => {
      const ip = `11.${(count >> 16) & 255}.${(count >> 8) & 255}.${count++ & 255}`;
      silenced(dns, reverseNameOf(ip));
      return ip;
    },
    connectNode: async (url, redis) => {
      const node = await stallingNode(url, redis);
      closing.push(() => {
        node.socket.terminate();
      });
      return NODE;
    },
    close: async () => {
      for (const close of closing.reverse()) await close();
      await dns.close();
    },
  };
}

/** A name that is answered immediately and has TTL 0. */
export const KNOWN_HOST = 'known.example.org';

const HERE = { addresses: ['127.0.0.1'] } as const;

function silenced(dns: DnsServer, name: string): string {
  dns.replies.set(name, 'silence');
  return name;
}

/** Accepts connections and sends nothing, not even TLS. */
async function acceptingPort(closing: (() => unknown)[]): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).resume();
  });
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1024 });
  await once(server, 'listening');
  closing.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** Writes bootstrap files (RFC 9224) that list the silent server for everything. */
function writeBootstrap(dir: string, port: number): string {
  const rdapDir = join(dir, 'rdap');
  mkdirSync(rdapDir, { recursive: true });
  const urls = [`https://${RDAP_HOST}:${port}/`];
  for (const [name, key] of [
    ['dns', 'com'],
    ['ipv4', '11.0.0.0/8'],
    ['ipv6', '2001:600::/23'],
    ['asn', '1-70000'],
  ] as const) {
    writeFileSync(join(rdapDir, `${name}.json`), JSON.stringify({ services: [[[key], urls]] }));
  }
  return rdapDir;
}

const NODE = 'silent-1';

async function stallingNode(url: string, address: RedisAddress): Promise<FakeNode> {
  const redis = openConnection(address);
  await redis.ready(5000);
  const { token } = await new NodeStore(redis).add(place(NODE));
  redis.close();
  const node = await FakeNode.ready(url, token);
  node.socket.on('message', (raw) => {
    const message = JSON.parse((raw as Buffer).toString()) as { readonly type: string; readonly id: string };
    if (message.type === 'job') node.send({ type: 'ack', id: message.id });
  });
  return node;
}
