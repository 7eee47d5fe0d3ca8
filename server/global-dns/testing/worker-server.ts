import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Agent, fetch as fetchWith } from 'undici';
import type { Test } from 'tap';
import { newWorker } from '../../dns/edge-worker/worker.js';
import { TEST_IDENTITY } from '../../testing/tls-identity.js';

/** The edge worker behind HTTPS on loopback. */
export interface WorkerServer {
  readonly url: string;
  /** Number of requests received. */
  readonly askedCount: () => number;
  /** Handles requests instead of the worker when set. */
  instead: ((request: Request) => Promise<Response>) | undefined;
}

/** The secret shared by the worker and its clients in tests. */
export const WORKER_SECRET = 'a secret of sixteen characters and more';

/** Starts the worker. `cf` is the location information of the platform. */
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

/** Returns a `fetch` that resolves every name to loopback and trusts the tests' certificate authority. */
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
