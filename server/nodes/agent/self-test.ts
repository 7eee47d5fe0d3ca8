import { deadlineIn } from '../../deadline.js';
import type { PublicAddresses, PublicHosts } from '../../egress/public-hosts.js';
import { ProbeRefused, type Prober } from '../../probe/prober.js';
import { parseTarget, type Target } from '../../targets/target.js';
import { UpstreamError } from '../../upstream-error.js';

/** What is tried before a node calls itself ready. */
export interface SelfTest {
  /** A host that must resolve and take connections; by default that of the server. */
  readonly host: string;
  readonly port: number;
  /** The server itself: where it is in a network of its own, the connection to it is the proof. */
  readonly isServer?: boolean;
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
  if (target === undefined) return test.isServer === true ? undefined : `${test.host} is no public name`;
  const found = await lookUp(target, hosts);
  if (typeof found === 'string') return found;
  if (found.kind === 'not-public' && test.isServer === true) return undefined;
  if (found.kind !== 'addresses') return `${test.host} has no public address`;
  const [ip] = found.ips;
  const rtt = await firstRoundTrip(prober, ip, test.port);
  return rtt === null ? `no connection to ${test.host} port ${test.port} (${ip})` : undefined;
}

/** What there is of it, or why that cannot be told. */
async function lookUp(target: Target, hosts: SelfTestParts['hosts']): Promise<PublicAddresses | string> {
  try {
    return await hosts.find(target, deadlineIn(RESOLVE_MS));
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    return `the name servers do not answer: ${error.message}`;
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
