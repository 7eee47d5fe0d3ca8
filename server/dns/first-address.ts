import { deadlineIn } from '../deadline.js';
import { Failure } from '../failure.js';
import type { HostResolver } from '../targets/host-resolver.js';
import { UpstreamError } from '../upstream-error.js';
import type { DnsClient } from './dns-client.js';

/** Resolves host names by DNS only. Does not use the hosts file or search domains. */
export class FirstAddress implements HostResolver {
  constructor(
    private readonly dns: Pick<DnsClient, 'query'>,
    /** Time limit for one name, A and AAAA together. */
    private readonly budgetMs = 5000,
  ) {}

  async resolve(name: string): Promise<string | undefined> {
    const deadline = deadlineIn(this.budgetMs);
    try {
      for (const type of ['A', 'AAAA']) {
        const { rcode, records } = await this.dns.query(name, type, deadline);
        const address = records.find((record) => record.type === type);
        if (address !== undefined) return address.value;
        if (rcode === 'NXDOMAIN') return undefined;
      }
      return undefined;
    } catch (error) {
      if (error instanceof UpstreamError) throw noNameServer(error);
      throw error;
    }
  }
}

/** Returns the failure for a request that no name server answered (decision 11). */
export function noNameServer(cause: UpstreamError): Failure {
  return new Failure(502, 'the name servers did not answer', {}, { cause });
}
