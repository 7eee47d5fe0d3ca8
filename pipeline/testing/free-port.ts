import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that systems give to outgoing connections (Linux: 32768-60999, IANA: 49152-65535), so that no socket
 * takes a free port before its server does.
 */
const [FIRST, COUNT] = [10_000, 20_000];

/** Returns a loopback port on which nothing listens, neither over TCP nor over UDP. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    if ((await isFreeForTcp(port)) && (await isFreeForUdp(port))) return port;
  }
}

async function isFreeForTcp(port: number): Promise<boolean> {
  const server = createServer();
  const bound = isBound(server);
  server.listen(port, '127.0.0.1');
  if (!(await bound)) return false;
  server.close();
  await once(server, 'close');
  return true;
}

async function isFreeForUdp(port: number): Promise<boolean> {
  const socket = createSocket('udp4');
  const bound = isBound(socket);
  socket.bind(port, '127.0.0.1');
  const free = await bound;
  socket.close();
  return free;
}

async function isBound(socket: NodeJS.EventEmitter): Promise<boolean> {
  return once(socket, 'listening').then(
    () => true,
    () => false,
  );
}
