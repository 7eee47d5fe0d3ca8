import { randomInt } from 'node:crypto';
import type { Deadline } from '../deadline.js';
import type { Query } from '../dns/message.js';
import { parseNameServer, systemNameServers, type NameServer } from '../dns/name-server.js';
import { queryOverUdp } from '../dns/udp-exchange.js';
import { UpstreamError } from '../upstream-error.js';
import type { Check } from './check.js';

/** Checks that each DNS server answers and resolves recursively. Uses the system's servers if none are configured. */
export function nameServerChecks(servers: readonly string[]): Check[] {
  const all = servers.length === 0 ? systemNameServers() : servers.map(parseNameServer);
  return all.map((server) => ({
    group: 'DNS servers',
    name: server.text,
    run: (deadline) => askOnce(server, deadline),
  }));
}

const QUESTION = { name: 'example.com', type: 'A', edns: true } as const;

async function askOnce(server: NameServer, deadline: Deadline): Promise<string> {
  const query: Query = { ...QUESTION, id: randomInt(0x10000) };
  const { rcode, offersRecursion } = await queryOverUdp(server, query, deadline);
  if (!offersRecursion) throw new UpstreamError('failed', 'offers no recursion');
  if (rcode !== 'NOERROR') throw new UpstreamError('failed', `returned ${rcode} for ${query.name}`);
  return 'answers with recursion';
}
