import { once } from 'node:events';
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Lifetime } from '../../../pipeline/testing/lifetime.js';
import { readReservedSpace } from '../../targets/reserved-space.js';
import { TEST_IDENTITY } from '../../testing/tls-identity.js';
import { EgressGuard } from '../egress-guard.js';
import { PublicHosts } from '../public-hosts.js';
import { PublicHttpClient } from '../public-http-client.js';

/** Answers a request over HTTP/1.1 or HTTP/2. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** An HTTP server on loopback that counts its connections. */
export interface UpstreamServer {
  readonly port: number;
  readonly connectionCount: () => number;
  /** Closes all connections. */
  dropAll(): void;
}

/** Starts a server with the tests' certificate. `h2` and `h1` use TLS, `plain` is HTTP/1.1 without TLS. */
export async function startUpstream(
  t: Lifetime,
  answer: Answer,
  { kind = 'h2', host = '127.0.0.1' }: { kind?: 'h2' | 'h1' | 'plain'; host?: string } = {},
): Promise<UpstreamServer> {
  const handler = answer as Parameters<typeof createPlainServer>[1];
  const { key, cert } = TEST_IDENTITY;
  const make = {
    plain: () => createPlainServer(handler),
    h1: () => createTlsServer({ key, cert }, handler),
    h2: () => createSecureServer({ key, cert }, handler as never),
  };
  const server: Server = make[kind]();
  return await listen(t, server, { host });
}

/** Returns a client whose name servers know exactly these hosts. */
export async function clientOf(
  t: Lifetime,
  hosts: Readonly<Record<string, readonly string[]>>,
  { allowLoopback = true, denied = [] }: { allowLoopback?: boolean; denied?: readonly string[] } = {},
): Promise<PublicHttpClient> {
  const guard = new EgressGuard({ reserved: await readReservedSpace(REGISTRIES), denied, allowLoopback });
  const dns = { addressesOf: (name: string) => Promise.resolve(hosts[name] ?? []) };
  const client = new PublicHttpClient({
    hosts: new PublicHosts(dns, guard),
    guard,
    extraAuthorities: TEST_IDENTITY.authority,
  });
  t.teardown(() => client.close());
  return client;
}

/** The folder with the fixtures of IANA's special-purpose registries. */
export const REGISTRIES = fileURLToPath(new URL('../../../../fixtures/feeds/iana', import.meta.url));

/** Starts a server and closes it with all connections when the test ends. */
export async function listen(
  t: Lifetime,
  server: Server,
  { host = '127.0.0.1', port = 0 }: { host?: string; port?: number } = {},
): Promise<UpstreamServer> {
  const open = new Set<Socket>();
  let count = 0;
  server.on('connection', (socket: Socket) => {
    count++;
    open.add(socket);
    socket.on('error', () => open.delete(socket)).on('close', () => open.delete(socket));
  });
  server.listen(port, host);
  await once(server, 'listening');
  const dropAll = () => {
    for (const socket of open) socket.destroy();
  };
  t.teardown(() => {
    server.close();
    dropAll();
  });
  return { port: (server.address() as AddressInfo).port, connectionCount: () => count, dropAll };
}
