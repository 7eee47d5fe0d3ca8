import { readdirSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Test } from 'tap';
import type { Container, Download } from '../../feeds/feed.js';
import { download, type DownloadContext, type DownloadResult } from '../download.js';
import { planDownloads } from '../download-plan.js';
import type { FetchLimits } from '../fetch-limits.js';

/** A publisher's server on this machine, which answers as a test wants. */
export interface Publisher {
  readonly url: string;
  /** Requests so far. */
  readonly asked: readonly IncomingMessage[];
  /** What the next requests are answered with. */
  answer: RequestListener;
}

/** Starts a server that lives as long as the test. */
export async function startPublisher(t: Test, answer: RequestListener): Promise<Publisher> {
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

/** Answers with a file and its ETag, or 304, or the rest that is asked for, as a good server does. */
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

/**
 * Sends a piece of a body and drops the connection once the unfinished file in `dir` has `size` bytes: what is on the
 * way when a connection breaks is lost.
 */
export function sendPiece(
  response: ServerResponse,
  piece: Buffer,
  arrived: { dir: string; size: number; folder?: string },
): void {
  response.write(piece);
  const timer = setInterval(() => {
    if (unfinishedBytes(arrived.dir, arrived.folder ?? 'feed') >= arrived.size) response.destroy();
  }, 5);
  response.on('close', () => {
    clearInterval(timer);
  });
}

function unfinishedBytes(dir: string, folder: string): number {
  const state = join(dir, '.state', folder);
  const [part] = readdirSync(state).filter((name) => name.endsWith('.part'));
  return part === undefined ? 0 : statSync(join(state, part)).size;
}

/** Quick enough for tests, patient enough for a busy machine. */
export const TEST_LIMITS: FetchLimits = {
  tries: 3,
  backoffMs: 1,
  headersTimeoutMs: 20_000,
  idleTimeoutMs: 20_000,
  budgetMs: 60_000,
  maxBytes: 1_000_000,
};

/** A download in a test; a text for the URL, or all of it. */
export interface Trial {
  readonly dir: string;
  readonly download: string | (Omit<Download, 'minBytes'> & { readonly minBytes?: number });
  readonly name?: string;
  readonly container?: Container;
  readonly context?: Partial<DownloadContext>;
  readonly variables?: Readonly<Record<string, string>>;
}

/** Downloads one file into `<dir>/feed`, as a night of its own. */
export async function tryDownload(trial: Trial): Promise<DownloadResult> {
  const { name = 'file.csv', container = 'plain', variables = {} } = trial;
  const given = typeof trial.download === 'string' ? { url: trial.download } : trial.download;
  const file = { folder: 'feed', name, container, required: true, take: 'latest' } as const;
  const [planned] = planDownloads([{ ...file, download: { minBytes: 1, ...given } }]);
  return download(planned!, {
    dir: trial.dir,
    since: new Date(8.64e15),
    limits: TEST_LIMITS,
    mirror: undefined,
    acceptSmall: false,
    readVariable: (name) => variables[name],
    now: () => new Date(),
    onBytes: () => undefined,
    ...trial.context,
  });
}
