import { before, type Deadline } from '../deadline.js';
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
  const { replies, failure } = await askAll(dns, name, deadline);
  const found = replies.flatMap((reply) => reply.records);
  if (found.length === 0) {
    // RFC 8020: of the name itself. A CNAME to nowhere is NXDOMAIN too, but the CNAME is there.
    if (replies.some(({ rcode }) => rcode === 'NXDOMAIN')) return undefined;
    // What could not be had may be all there is.
    if (failure !== undefined) throw failure;
  }
  const records = new Map<string, DnsRecord>();
  for (const record of found) {
    const identity = identityOf(record);
    if (!records.has(identity)) records.set(identity, record);
  }
  return [...records.values()].sort(inOrder);
}

/** Replies in the order of the types, and why one of them is missing. */
interface Asked {
  readonly replies: readonly DnsReply[];
  readonly failure: UpstreamError | undefined;
}

/** All types at once, with one timer for all: nine of each of hundreds of calls would go off in the same turn. */
async function askAll(dns: Pick<DnsClient, 'query'>, name: string, deadline: Deadline): Promise<Asked> {
  const replies: (DnsReply | undefined)[] = ALL_TYPES.map(() => undefined);
  let failure: UpstreamError | undefined;
  const asked = ALL_TYPES.map(async (type, i) => {
    try {
      replies[i] = await dns.query(name, type, Infinity);
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      failure ??= error;
    }
  });
  await before(deadline, Promise.all(asked), () => {
    failure ??= new UpstreamError('timeout', `no name server has answered all questions for ${name} yet`);
  });
  return { replies: replies.filter((reply) => reply !== undefined), failure };
}

/** Ruling 28. */
const ALL_TYPES = ['A', 'AAAA', 'CNAME', 'NS', 'MX', 'TXT', 'SOA', 'SRV', 'CAA'];

/** CNAME rows stay in the order of their chain. */
function inOrder(a: DnsRecord, b: DnsRecord): number {
  const byType = ALL_TYPES.indexOf(a.type) - ALL_TYPES.indexOf(b.type);
  if (byType !== 0 || a.type === 'CNAME') return byType;
  return (a.priority ?? 0) - (b.priority ?? 0) || (a.value < b.value ? -1 : 1);
}
