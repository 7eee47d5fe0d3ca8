import type { ServerConfig } from '../config.js';
import { deadlineIn } from '../deadline.js';
import { openEgress } from '../process/open-egress.js';
import { readReservedSpace } from '../targets/reserved-space.js';
import type { Check, Finding } from './check.js';
import { dohChecks, workerCheck } from './doh-checks.js';
import { nameServerChecks } from './name-server-checks.js';
import { examineNodes, type NodesRedis } from './probe-nodes.js';
import { rdapChecks, whoisCheck } from './whois-checks.js';
import { runChecks, type CheckRun } from './run-checks.js';

/** The settings the doctor examines: the server's own. */
export interface DoctorConfig extends Pick<
  ServerConfig,
  'dnsServers' | 'egressDeny' | 'allowLoopback' | 'upstreams' | 'registryDir' | 'rdapDirs'
> {
  /** Absent when no nodes have been registered. */
  readonly nodes?: NodesRedis | undefined;
}

/** Checks all upstreams of a server from this machine. Returns the findings in report order, within a minute. */
export async function examine(
  config: DoctorConfig,
  {
    onFinding,
    ...times
  }: Pick<CheckRun, 'onFinding'> & { readonly checkMs?: number; readonly allMs?: number },
): Promise<readonly Finding[]> {
  const { http, hosts } = openEgress(config, await readReservedSpace(config.registryDir));
  const { dohResolvers, dnsWorker, ...upstreams } = config.upstreams;
  const [resolver] = dohResolvers;
  const { checkMs = CHECK_MS, allMs = ALL_MS } = times;
  const run = { parallel: PARALLEL, checkMs, onFinding };
  try {
    const checks: readonly Check[] = [
      ...dohChecks(http, dohResolvers),
      ...(dnsWorker && resolver ? [workerCheck(http, dnsWorker, resolver)] : []),
      ...(await rdapChecks(http, config)),
      whoisCheck(hosts, upstreams),
    ];
    const deadline = deadlineIn(allMs);
    const nodes = config.nodes === undefined ? [] : await examineNodes(config.nodes, { ...run, deadline });
    const nameServers = await runChecks(nameServerChecks(config.dnsServers), { ...run, deadline });
    const hasNoDns = nameServers.every(({ state }) => state === 'broken');
    // Without name servers almost every other check fails, so they get less time.
    const rest = await runChecks(checks, {
      ...run,
      deadline: hasNoDns ? deadlineIn(NO_DNS_MS, deadline) : deadline,
    });
    return [...nameServers, ...rest, ...nodes];
  } finally {
    await http.close();
  }
}

const CHECK_MS = 5000;
const ALL_MS = 60_000;
/** Total for the other checks when no name server answers. */
const NO_DNS_MS = 8000;
/** There are hundreds of RDAP servers, and each is asked once. */
const PARALLEL = 32;
