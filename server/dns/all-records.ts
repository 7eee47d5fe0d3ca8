import type { Deadline } from '../deadline.js';
import { UpstreamError } from '../upstream-error.js';
import type { DnsClient, DnsRecord, DnsReply } from './dns-client.js';
import { identityOf } from './rows.js';

/**
 * The records of all usual types that a name has, each once, in the order of the types, then by priority and text.
 * Absent when the name does not exist. A type that cannot be had does not spoil the others; throws UpstreamError when
 * one cannot be had and the others have nothing.
 */
export async function allRecords(
  dns: Pick<DnsClient, 'query'>,
  name: string,
  deadline: Deadline,
): Promise<readonly DnsRecord[] | undefined> {
  const replies: DnsReply[] = [];
  let failure: UpstreamError | undefined;
  for (const asked of await Promise.allSettled(ALL_TYPES.map((type) => dns.query(name, type, deadline)))) {
    if (asked.status === 'fulfilled') replies.push(asked.value);
    else if (asked.reason instanceof UpstreamError) failure = asked.reason;
    else throw asked.reason;
  }
  const found = replies.flatMap((reply) => reply.records);
  if (found.length === 0) {
    // RFC 8020: of the name itself. A CNAME to nowhere is NXDOMAIN too, but the CNAME is there.
    if (replies.some(({ rcode }) => rcode === 'NXDOMAIN')) return undefined;
    // What could not be had may be all there is.
    if (failure) throw failure;
  }
  const records = new Map<string, DnsRecord>();
  for (const record of found) {
    const identity = identityOf(record);
    if (!records.has(identity)) records.set(identity, record);
  }
  return [...records.values()].sort(inOrder);
}

/** Ruling 28. */
const ALL_TYPES = ['A', 'AAAA', 'CNAME', 'NS', 'MX', 'TXT', 'SOA', 'SRV', 'CAA'];

/** CNAME rows stay in the order of their chain. */
function inOrder(a: DnsRecord, b: DnsRecord): number {
  const byType = ALL_TYPES.indexOf(a.type) - ALL_TYPES.indexOf(b.type);
  if (byType !== 0 || a.type === 'CNAME') return byType;
  return (a.priority ?? 0) - (b.priority ?? 0) || (a.value < b.value ? -1 : 1);
}
