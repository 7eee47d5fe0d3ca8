import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Lifetime } from './lifetime.js';

/** A local HTTP server in place of a publisher. */
export interface Publisher {
  readonly url: string;
  /** The received requests. */
  readonly asked: readonly IncomingMessage[];
  /** Handles the next requests. */
  answer: RequestListener;
}

/** Starts a server and stops it when the test ends. */
export async function startPublisher(t: Lifetime, answer: RequestListener): Promise<Publisher> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    publisher.answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const publisher: Publisher = { url: `http://127.0.0.1:${port}`, asked, answer };
  return publisher;
}

/** Returns a handler for a file with an ETag. It supports If-None-Match, Range and If-Range. */
export function serveFile(body: Buffer | string, etag = '"one"'): RequestListener {
  const bytes = Buffer.from(body);
  return (request, response) => {
    const { range, 'if-range': ifRange, 'if-none-match': ifNoneMatch } = request.headers;
    response.setHeader('ETag', etag);
    if (ifNoneMatch === etag) {
      response.writeHead(304).end();
      return;
    }
    const from =
      ifRange === undefined || ifRange === etag ? Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1]) : NaN;
    if (Number.isNaN(from)) {
      response.writeHead(200, { 'Content-Length': bytes.length }).end(bytes);
    } else if (from >= bytes.length) {
      response.writeHead(416, { 'Content-Range': `bytes */${bytes.length}` }).end();
    } else {
      const contentRange = `bytes ${from}-${bytes.length - 1}/${bytes.length}`;
      const rest = bytes.subarray(from);
      response.writeHead(206, { 'Content-Range': contentRange, 'Content-Length': rest.length }).end(rest);
    }
  };
}
