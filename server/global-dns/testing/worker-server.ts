import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Agent, fetch as fetchWith } from 'undici';
import type { Test } from 'tap';
import { newWorker } from '../../dns/edge-worker/worker.js';
import { TEST_IDENTITY } from '../../testing/tls-identity.js';

/** The edge worker behind HTTPS on the loopback, as a platform runs it. */
export interface WorkerServer {
  readonly url: string;
  /** How many requests came. */
  readonly askedCount: () => number;
  /** Called in place of the worker when it is set. */
  instead: ((request: Request) => Promise<Response>) | undefined;
}

export const WORKER_SECRET = 'a secret of sixteen characters and more';

/** Starts it; `cf` is what the platform says of the place. */
export async function startWorker(
  t: Test,
  { secret = WORKER_SECRET, cf = {} }: { secret?: string; cf?: Readonly<Record<string, string>> } = {},
): Promise<WorkerServer> {
  let count = 0;
  const worker = newWorker(loopbackFetch(t));
  const server = createServer({ key: TEST_IDENTITY.key, cert: TEST_IDENTITY.cert }, (request, response) => {
    count++;
    const answer = async (): Promise<void> => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const asked = new Request('https://worker.example.com/', {
        method: request.method ?? 'GET',
        headers: Object.entries(request.headers).map(([name, value]): [string, string] => [
          name,
          String(value),
        ]),
        ...(request.method === 'GET' ? {} : { body: Buffer.concat(chunks) }),
      });
      const given = await (started.instead?.(asked) ??
        worker.fetch(Object.assign(asked, { cf }), { DNS_WORKER_SECRET: secret }));
      response.writeHead(given.status, Object.fromEntries(given.headers));
      response.end(Buffer.from(await given.arrayBuffer()));
    };
    void answer();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const started: WorkerServer = {
    url: `https://worker.test-upstream.example.com:${port}/`,
    askedCount: () => count,
    instead: undefined,
  };
  return started;
}

/** `fetch` for which every name is on the loopback, and the tests' authority is believed. */
function loopbackFetch(t: Test): typeof fetch {
  const lookup = (
    _: string,
    __: object,
    done: (error: null, found: { address: string; family: 4 }[]) => void,
  ): void => {
    done(null, [{ address: '127.0.0.1', family: 4 }]);
  };
  const dispatcher = new Agent({
    allowH2: true,
    connect: { ca: TEST_IDENTITY.authority, lookup: lookup },
  });
  t.teardown(() => dispatcher.destroy());
  return ((url: string, init: RequestInit) =>
    fetchWith(url, { ...init, dispatcher } as never)) as unknown as typeof fetch;
}
