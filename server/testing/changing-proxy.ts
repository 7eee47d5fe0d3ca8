import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Lifetime } from '../../pipeline/testing/lifetime.js';

/** An answer that a test may change in place. */
export interface PassingAnswer {
  readonly path: string;
  readonly method: string;
  status: number;
  readonly headers: Headers;
  /** Undefined unless the body is JSON. */
  body: unknown;
}

/** A proxy that changes answers. */
export interface ChangingProxy {
  readonly url: string;
  /** Applied to every answer. */
  change: (answer: PassingAnswer) => void;
  /** The address that requests appear to come from. */
  source: string;
}

/** Starts a proxy that changes nothing yet. It is closed when the test ends. */
export async function startChangingProxy(t: Lifetime, upstream: string): Promise<ChangingProxy> {
  const server = createServer((request, response) => void pass(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const proxy: ChangingProxy = {
    url: `http://127.0.0.1:${port}`,
    change: () => undefined,
    source: '203.0.113.1',
  };
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url: path = '/', method = 'GET' } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const reply = await fetch(`${upstream}${path}`, {
      method,
      headers: { ...passedOn(request), 'x-forwarded-for': proxy.source, 'accept-encoding': 'identity' },
      ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
    });
    const bytes = Buffer.from(await reply.arrayBuffer());
    const isJson = (reply.headers.get('content-type') ?? '').includes('json') && bytes.length > 0;
    const body: unknown = isJson ? JSON.parse(bytes.toString()) : undefined;
    const answer = { path, method, status: reply.status, headers: new Headers(reply.headers), body };
    proxy.change(answer);
    for (const name of ['content-length', 'transfer-encoding', 'connection']) answer.headers.delete(name);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(isJson ? JSON.stringify(answer.body) : bytes);
  };
  return proxy;
}

/** Headers of the connection, which are not forwarded. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
]);

function passedOn({ headers }: IncomingMessage): Record<string, string> {
  const named = Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name));
  return Object.fromEntries(named.map(([name, value]) => [name, String(value)]));
}
