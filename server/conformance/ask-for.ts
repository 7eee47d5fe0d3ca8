import { expectData, type Bench } from './check.js';
import { IP_RECORD, PROBE_RESULT, USAGE, WHOIS_RECORD } from './documented-shapes.js';
import type { Reply } from './service-client.js';

/** `data` of an answer, of which the shape has been looked at. */
export type Data = Readonly<Record<string, unknown>>;

/** The record of a target, which may have a query behind it. */
export async function recordOf({ client, key }: Bench, target: string): Promise<Data> {
  return expectData(await client.once(`/api/ip/${target}`, { key }), IP_RECORD);
}

/** The result of a TCP probe: target and query. */
export async function probeOf({ client, key }: Bench, asked: string): Promise<Data> {
  return expectData(await client.ask(`/api/tcping/${asked}`, { key }), PROBE_RESULT);
}

/** The record of a registration. */
export async function whoisOf({ client, key }: Bench, target: string): Promise<Data> {
  return expectData(await client.once(`/api/whois/${target}`, { key }), WHOIS_RECORD);
}

/** How many calls the account of the key, or of another one, has made today. */
export async function usedToday({ client }: Bench, key: string | undefined): Promise<number> {
  return Number(expectData(await client.ask('/api/user/usage', { key }), USAGE)['today']);
}

/** What X-RateLimit says. */
export function windowOf({ headers }: Reply): { limit: number; remaining: number; reset: number } {
  const number = (name: string): number => Number(headers.get(`x-ratelimit-${name}`) ?? NaN);
  return { limit: number('limit'), remaining: number('remaining'), reset: number('reset') };
}
