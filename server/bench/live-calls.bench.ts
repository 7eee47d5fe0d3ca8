import autocannon from 'autocannon';
import { request } from 'node:http';
import type { MeasuredProcess } from '../testing/measured-process.js';
import type { Endpoint } from './silent-endpoints.bench.js';

/** The server under test, and the headers of its caller. */
export interface Asked {
  readonly server: MeasuredProcess;
  readonly headers: Readonly<Record<string, string>>;
}

/** Results of concurrent calls to an endpoint. */
export interface Waited {
  readonly longestMs: number;
  /** Calls with an unexpected result. */
  readonly otherwise: number;
}

/** Results of lookups at the maximum rate. */
export interface Lookups {
  readonly perSecond: number;
  readonly cpuMicrosEach: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Makes `count` concurrent calls. */
export async function wait(asked: Asked, { status, path, body }: Endpoint, count: number): Promise<Waited> {
  const calls = Array.from({ length: count }, () => call(asked, { path: path(), body: body?.() }));
  const answers = await Promise.all(calls);
  const others = answers.filter((answer) => answer.status !== status);
  for (const other of others.slice(0, 3)) process.stderr.write(`${path()}: ${other.status} ${other.text}\n`);
  return { longestMs: Math.max(...answers.map(({ ms }) => ms)), otherwise: others.length };
}

interface Answer {
  readonly status: number;
  readonly text: string;
  /** From the request to the end of the answer. */
  readonly ms: number;
}

/** Makes a call over a new connection. */
export function call(
  { server, headers }: Asked,
  { path, body }: { readonly path: string; readonly body?: unknown },
): Promise<Answer> {
  const startedMs = performance.now();
  const method = body === undefined ? 'GET' : 'POST';
  const sent = { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) };
  return new Promise((resolve, reject) => {
    const sending = request(`${server.url}${path}`, { method, headers: sent, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => (text += piece));
      response.on('end', () => {
        resolve({ status: response.statusCode!, text, ms: performance.now() - startedMs });
      });
    });
    sending.on('error', reject);
    sending.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Makes lookups at the maximum rate. Throws when one fails. */
export async function lookUp({ server, headers }: Asked, seconds: number): Promise<Lookups> {
  const before = await server.ask();
  const { requests, latency, non2xx, errors, timeouts } = await autocannon({
    url: `${server.url}/api/ip/8.8.8.8`,
    headers,
    connections: 20,
    duration: seconds,
  });
  const { cpuMicros } = await server.ask();
  const refused = non2xx + errors + timeouts;
  if (refused > 0) throw new Error(`${refused} lookups were not answered`);
  return {
    perSecond: requests.average,
    p50Ms: latency.p50,
    p99Ms: latency.p99,
    cpuMicrosEach: (cpuMicros - before.cpuMicros) / requests.total,
  };
}
