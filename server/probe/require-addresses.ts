import { deadlineIn } from '../deadline.js';
import type { PublicAddresses, PublicHosts } from '../egress/public-hosts.js';
import { Failure } from '../failure.js';
import { UNRESOLVED_TARGET } from '../lookup/resolve-target.js';
import type { TargetHost } from '../targets/target.js';
import { UpstreamError } from '../upstream-error.js';

/** For a host in all. */
const RESOLVE_MS = 3000;

/**
 * Asks once for the addresses of a host that may be probed. Throws Failure: 404 when it has none, 403 when none of them
 * is public, 502 when no name server answers.
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

/** Why a private or reserved target is not probed. */
export function notPublic(): Failure {
  return new Failure(403, 'private and reserved targets are not probed');
}

async function find(hosts: PublicHosts, host: TargetHost): Promise<PublicAddresses> {
  try {
    return await hosts.find(host, deadlineIn(RESOLVE_MS));
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    throw new Failure(502, 'the name servers did not answer', {}, { cause: error });
  }
}
