import { before, type Deadline } from '../deadline.js';
import { UpstreamError } from '../upstream-error.js';
import type { DnsClient, DnsRecord, DnsReply } from './dns-client.js';
import { identityOf } from './rows.js';

/**
 * Queries all common types of a name. Returns each record once, ordered by type, priority and text. Absent when the
 * name does not exist. Ignores failing types if others have records, and throws UpstreamError otherwise.
 */
export async function allRecords(
  dns: Pick<DnsClient, 'query'>,
  name: string,
  deadline: Deadline,
): Promise<readonly DnsRecord[] | undefined> {
  const { replies, failure } = await askAll(dns, name, deadline);
  const found = replies.flatMap((reply) => reply.records);
  if (found.length === 0) {
    // RFC 8020: NXDOMAIN applies to the name itself. A dangling CNAME is NXDOMAIN too, but has the CNAME record.
    if (replies.some(({ rcode }) => rcode === 'NXDOMAIN')) return undefined;
    // The failed types may be the only ones with records.
    if (failure !== undefined) throw failure;
  }
  const records = new Map<string, DnsRecord>();
  for (const record of found) {
    const identity = identityOf(record);
    if (!records.has(identity)) records.set(identity, record);
  }
  return [...records.values()].sort(inOrder);
}

/** Replies in the order of the types, and the first failure. */
interface Asked {
  readonly replies: readonly DnsReply[];
  readonly failure: UpstreamError | undefined;
}

/** Queries all types at once with one shared timer: nine timers per call would all fire in the same turn under load. */
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
    failure ??= new UpstreamError(
      'timeout',
      `no answer from the name servers for all types of ${name} in time`,
    );
  });
  return { replies: replies.filter((reply) => reply !== undefined), failure };
}

/** The types of decision 28. */
const ALL_TYPES = ['A', 'AAAA', 'CNAME', 'NS', 'MX', 'TXT', 'SOA', 'SRV', 'CAA'];

/** Orders by type, priority and text. CNAME records keep the order of their chain. */
function inOrder(a: DnsRecord, b: DnsRecord): number {
  const byType = ALL_TYPES.indexOf(a.type) - ALL_TYPES.indexOf(b.type);
  if (byType !== 0 || a.type === 'CNAME') return byType;
  return (a.priority ?? 0) - (b.priority ?? 0) || (a.value < b.value ? -1 : 1);
}
