import type { EgressGuard } from '../egress/egress-guard.js';
import { parseTargetAddress } from '../targets/target.js';
import type { NodeProbe, NodeProbeResult } from './node-relay.js';
import { ATTEMPT_MS } from './protocol.js';

/**
 * Returns why a node's measurement cannot be an answer to the probe; undefined if it can be one (decisions 33 and 65).
 * The reason contains no text of the node.
 */
export function whyInvalid(
  { host }: NodeProbe,
  { ip, rtts }: Extract<NodeProbeResult, { kind: 'done' }>,
  guard: EgressGuard,
): string | undefined {
  const asked = parseTargetAddress(host);
  if (asked !== undefined && ip !== asked.ip) return 'the address is not the probed one';
  if (parseTargetAddress(ip)?.ip !== ip) return 'the address is not in canonical text';
  if (!guard.allows(ip)) return 'the address is not public or is denied';
  if (rtts.some((rtt) => rtt !== null && rtt > ATTEMPT_MS))
    return `a time is longer than the ${ATTEMPT_MS} ms of an attempt`;
  return undefined;
}
