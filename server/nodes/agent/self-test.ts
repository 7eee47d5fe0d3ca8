import { deadlineIn } from '../../deadline.js';
import type { PublicAddresses, PublicHosts } from '../../egress/public-hosts.js';
import { ProbeRefused, type Prober } from '../../probe/prober.js';
import { parseTarget, type Target } from '../../targets/target.js';
import { UpstreamError } from '../../upstream-error.js';

/** What a node tests before it is ready. */
export interface SelfTest {
  /** A host that must resolve and accept connections; by default the server's. */
  readonly host: string;
  readonly port: number;
  /** Whether the host is the server itself. In a private network the existing connection to it is proof enough. */
  readonly isServer?: boolean;
}

/** What the self-test needs. */
export interface SelfTestParts {
  readonly hosts: Pick<PublicHosts, 'find'>;
  readonly prober: Prober;
}

/** Largest clock difference. A wrong clock also breaks the validation of certificates. */
const MAX_SKEW_MS = 5 * 60_000;
const RESOLVE_MS = 5000;

/** Returns why the self-test failed, or undefined. `serverNow` is the server's clock in ms since 1970. */
export async function failedSelfTest(
  test: SelfTest,
  serverNow: number,
  { hosts, prober }: SelfTestParts,
): Promise<string | undefined> {
  const skewMs = Math.abs(Date.now() - serverNow);
  if (skewMs > MAX_SKEW_MS)
    return `clock differs from the server's by ${Math.round(skewMs / 1000)} s, at most ${MAX_SKEW_MS / 1000} s allowed`;
  const target = parseTarget(test.host);
  if (target === undefined) return test.isServer === true ? undefined : `${test.host} is not a public name`;
  const found = await lookUp(target, hosts);
  if (typeof found === 'string') return found;
  if (found.kind === 'not-public' && test.isServer === true) return undefined;
  if (found.kind !== 'addresses') return `${test.host} has no public address`;
  const [ip] = found.ips;
  const rtt = await firstRoundTrip(prober, ip, test.port);
  return rtt === null ? `no connection to ${test.host} port ${test.port} (${ip})` : undefined;
}

/** Returns the addresses of the target, or why the lookup failed. */
async function lookUp(target: Target, hosts: SelfTestParts['hosts']): Promise<PublicAddresses | string> {
  try {
    return await hosts.find(target, deadlineIn(RESOLVE_MS));
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    return `the name servers did not answer: ${error.message}`;
  }
}

async function firstRoundTrip(prober: Prober, ip: string, port: number): Promise<number | null> {
  try {
    const [rtt = null] = await prober.probe({ ip, port, count: 1, timeoutMs: 3000 });
    return rtt;
  } catch (error) {
    if (error instanceof ProbeRefused) return null;
    throw error;
  }
}
