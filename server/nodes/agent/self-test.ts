import { deadlineIn } from '../../deadline.js';
import type { PublicHosts } from '../../egress/public-hosts.js';
import type { Prober } from '../../probe/prober.js';
import { parseTarget, type Target } from '../../targets/target.js';
import { UpstreamError } from '../../upstream-error.js';

/** What is tried before a node calls itself ready. */
export interface SelfTest {
  /** A host that must resolve and take connections; by default that of the server. */
  readonly host: string;
  readonly port: number;
}

/** What it is tried with. */
export interface SelfTestParts {
  readonly hosts: Pick<PublicHosts, 'find'>;
  readonly prober: Prober;
}

/** A clock that is wrong by more is a reason to look after the machine; certificates are judged by it. */
const MOST_SKEW_MS = 5 * 60_000;
const RESOLVE_MS = 5000;

/** Why a node is not fit for work; absent when it is. `serverNow` is the server's clock, ms since 1970. */
export async function failedSelfTest(
  test: SelfTest,
  serverNow: number,
  { hosts, prober }: SelfTestParts,
): Promise<string | undefined> {
  const skewMs = Math.abs(Date.now() - serverNow);
  if (skewMs > MOST_SKEW_MS) return `the clock is wrong by ${Math.round(skewMs / 1000)} seconds`;
  const target = parseTarget(test.host);
  // A server in a network of its own, by a name that only that knows: the connection to it is the proof.
  if (target === undefined) return undefined;
  const ip = await addressOf(target, hosts);
  if (typeof ip !== 'string') return ip.why;
  const [rtt] = await prober.probe({ ip, port: test.port, count: 1, timeoutMs: 3000 });
  return rtt === null || rtt === undefined
    ? `no connection to ${test.host} port ${test.port} (${ip})`
    : undefined;
}

async function addressOf(
  target: Target,
  hosts: Pick<PublicHosts, 'find'>,
): Promise<string | { readonly why: string }> {
  const name = target.kind === 'address' ? target.ip : target.name;
  try {
    const found = await hosts.find(target, deadlineIn(RESOLVE_MS));
    if (found.kind === 'addresses') return found.ips[0];
    return { why: `${name} has no ${found.kind === 'none' ? '' : 'public '}address` };
  } catch (error) {
    if (error instanceof UpstreamError) return { why: `${name} cannot be resolved: ${error.message}` };
    throw error;
  }
}
