import autocannon, { type Request, type Result } from 'autocannon';
import type { Scenario } from './scenarios.bench.js';

/** A server with the CPU time of its process so far. */
export interface LoadedServer {
  readonly url: string;
  ask(): Promise<{ readonly cpuMicros: number }>;
}

/** The result of one run of one server. */
export interface Run {
  readonly perSecond: number;
  readonly cpuMicrosEach: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly mbPerSecond: number;
}

/** Loads a server with the requests of a scenario for some seconds. Throws an Error if any request fails. */
export async function runOnce(
  server: LoadedServer,
  { name, requests, connections }: Pick<Scenario, 'name' | 'requests' | 'connections'>,
  seconds: number,
): Promise<Run> {
  const before = await server.ask();
  let client = 0;
  const result = await autocannon({
    url: server.url,
    connections,
    duration: seconds,
    setupClient: (connection) => {
      connection.setRequests(shareOf(requests, client++, connections));
    },
  });
  const { cpuMicros } = await server.ask();
  const { total } = result.requests;
  check(result, `${name} at ${server.url}`);
  return {
    perSecond: total / result.duration,
    cpuMicrosEach: (cpuMicros - before.cpuMicros) / total,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    mbPerSecond: result.throughput.total / result.duration / 1e6,
  };
}

/** Returns the requests of a connection: its own part, or all of them if there are few. */
function shareOf(requests: readonly Request[], client: number, connections: number): Request[] {
  return requests.length < connections
    ? [...requests]
    : requests.filter((_, i) => i % connections === client % connections);
}

/** Throws if any request failed: a server that refuses requests is fast. */
function check({ non2xx, errors, timeouts }: Result, what: string): void {
  if (non2xx + errors + timeouts > 0)
    throw new Error(`${what}: ${non2xx} refused, ${errors} errors, ${timeouts} timeouts`);
}

/** Returns the middle value, the higher one of two. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}
