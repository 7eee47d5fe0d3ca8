import { CheckSkipped, expect, expectData, type CheckContext } from './check.js';
import { IP_RECORD, NODES, PROBE_RESULT, USAGE, WHOIS_RECORD } from './documented-shapes.js';
import type { Reply } from './service-client.js';

/** The `data` of a response whose shape has been checked. */
export type Data = Readonly<Record<string, unknown>>;

/** Returns the IP record of a target, optionally followed by a query. */
export async function recordOf({ client, key }: CheckContext, target: string): Promise<Data> {
  return expectData(await client.once(`/api/ip/${target}`, { key }), IP_RECORD);
}

/** Returns the result of a TCP probe. `asked` is a target with an optional query. */
export async function probeOf({ client, key }: CheckContext, asked: string): Promise<Data> {
  return expectData(await client.ask(`/api/tcping/${asked}`, { key }), PROBE_RESULT);
}

/** Returns an online node. Throws CheckSkipped if there is none. */
export async function someNode({ client }: CheckContext): Promise<Data> {
  const reply = await client.ask('/api/nodes');
  expectData(reply, NODES);
  const [node] = (reply.body as { data: Data[] }).data;
  if (node === undefined) throw new CheckSkipped('no probe node is online');
  expect(node['status'] === 1, `a listed node has status ${String(node['status'])}`);
  return node;
}

/** Returns a whois record. */
export async function whoisOf({ client, key }: CheckContext, target: string): Promise<Data> {
  return expectData(await client.once(`/api/whois/${target}`, { key }), WHOIS_RECORD);
}

/** Returns how many calls a key's account has made today. */
export async function usedToday({ client }: CheckContext, key: string | undefined): Promise<number> {
  return Number(expectData(await client.ask('/api/user/usage', { key }), USAGE)['today']);
}

/** Returns the values of the X-RateLimit headers. */
export function windowOf({ headers }: Reply): { limit: number; remaining: number; reset: number } {
  const number = (name: string): number => Number(headers.get(`x-ratelimit-${name}`) ?? NaN);
  return { limit: number('limit'), remaining: number('remaining'), reset: number('reset') };
}
