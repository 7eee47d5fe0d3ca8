import { createServer as createProxy, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import type { Lifetime } from '../../pipeline/testing/lifetime.js';
import { TEST_IDENTITY } from './tls-identity.js';

/** A server behind TLS, as customers reach it, under any name of the test identity. */
export interface TlsFront {
  /** A proxy (CONNECT) on the loopback that leads every name to the server: no name must be resolved. */
  readonly proxy: string;
  /** Requests that have arrived, such as `GET /geoip/…`. */
  readonly requests: readonly string[];
}

/** Starts TLS and the proxy in front of a server. */
export async function startTlsFront(t: Lifetime, url: string): Promise<TlsFront> {
  const requests: string[] = [];
  const { key, cert } = TEST_IDENTITY;
  const tls = createServer({ key, cert }, (req, res) => {
    requests.push(`${req.method!} ${req.url!}`);
    forward(url, req, res);
  });
  const proxy = createProxy();
  proxy.on('connect', (_req: IncomingMessage, socket: Socket) => {
    lead(socket, tls);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.teardown(() => {
    proxy.closeAllConnections();
    proxy.close();
    tls.closeAllConnections();
  });
  return { proxy: `127.0.0.1:${(proxy.address() as AddressInfo).port}`, requests };
}

/** Answers CONNECT and hands the connection to the server. */
function lead(socket: Socket, tls: Server): void {
  // A client may reset the connection at its end.
  socket.on('error', () => socket.destroy());
  socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
  tls.emit('connection', socket);
}

function forward(url: string, req: IncomingMessage, res: ServerResponse): void {
  const { method = 'GET', headers, url: path = '/' } = req;
  const onward = request(new URL(path, url), { method, headers }, (answer) => {
    res.writeHead(answer.statusCode!, answer.headers);
    // A cut answer is cut for the customer too.
    answer.on('error', () => res.destroy());
    answer.pipe(res);
  });
  onward.on('error', () => res.destroy());
  req.pipe(onward);
}
