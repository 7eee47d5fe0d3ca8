import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Lifetime } from '../../pipeline/testing/lifetime.js';

/** A proxy that sends the first half of a file and then nothing. */
export interface StallingProxy {
  readonly url: string;
  /** Resolves when half of a file was sent. */
  readonly stalled: Promise<void>;
}

/** Starts a proxy. Answers that are not files pass. It is closed when the test ends. */
export async function startStallingProxy(t: Lifetime, upstream: string): Promise<StallingProxy> {
  let announce = (): void => undefined;
  const stalled = new Promise<void>((resolve) => (announce = resolve));
  const pass = async ({ url, headers }: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { authorization = '', range } = headers;
    const reply = await fetch(`${upstream}${url}`, { headers: { authorization, ...(range && { range }) } });
    const type = reply.headers.get('content-type') ?? '';
    const bytes = Buffer.from(await reply.arrayBuffer());
    response.writeHead(reply.status, { 'Content-Type': type, 'Content-Length': bytes.length });
    if (type !== 'application/octet-stream') response.end(bytes);
    else response.write(bytes.subarray(0, bytes.length >> 1), announce);
  };
  const server = createServer((request, response) => void pass(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stalled };
}
