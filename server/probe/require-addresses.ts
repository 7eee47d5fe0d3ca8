import { deadlineIn } from '../deadline.js';
import type { PublicAddresses, PublicHosts } from '../egress/public-hosts.js';
import { Failure } from '../failure.js';
import { UNRESOLVED_TARGET } from '../lookup/resolve-target.js';
import type { TargetHost } from '../targets/target.js';
import { UpstreamError } from '../upstream-error.js';

/** Time limit for all queries of one host. */
const RESOLVE_MS = 3000;

/**
 * Resolves a host to the addresses that may be probed. Throws Failure: 404 if it has none, 403 if none is public, 502
 * if the name servers do not answer.
 */
export async function requireAddresses(
  hosts: PublicHosts,
  host: TargetHost,
): Promise<readonly [string, ...string[]]> {
  const found = await find(hosts, host);
  if (found.kind === 'none') throw new Failure(404, UNRESOLVED_TARGET);
  if (found.kind === 'not-public') throw notPublic();
  return found.ips;
}

/** Returns the failure for a private or reserved target. */
export function notPublic(): Failure {
  return new Failure(403, 'private and reserved targets cannot be probed');
}

async function find(hosts: PublicHosts, host: TargetHost): Promise<PublicAddresses> {
  try {
    return await hosts.find(host, deadlineIn(RESOLVE_MS));
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    throw new Failure(502, 'the name servers did not answer', {}, { cause: error });
  }
}
