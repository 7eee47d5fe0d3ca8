import { Failure } from '../failure.js';
import type { AskedProbe } from './asked-probe.js';
import { ProbeRefused, type Prober } from './prober.js';
import type { Probed } from './probe-result.js';

/** Probes an address from this server. Throws Failure(503) when this machine is at its limits. */
export async function probeFromHere(
  prober: Prober,
  { port, count, timeoutMs }: AskedProbe,
  ip: string,
): Promise<Probed> {
  try {
    return { ip, rtts: await prober.probe({ ip, port, count, timeoutMs }) };
  } catch (error) {
    if (!(error instanceof ProbeRefused)) throw error;
    throw new Failure(503, 'too many probes are running, try again later', {}, { cause: error });
  }
}
