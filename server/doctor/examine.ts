import type { ServerConfig } from '../config.js';
import { deadlineIn } from '../deadline.js';
import { openEgress } from '../process/open-egress.js';
import { readReservedSpace } from '../targets/reserved-space.js';
import type { Check, Finding } from './check.js';
import { dohChecks, workerCheck } from './doh-checks.js';
import { nameServerChecks } from './name-server-checks.js';
import { examineNodes, type Registered } from './probe-nodes.js';
import { rdapChecks, whoisCheck } from './registry-checks.js';
import { runChecks, type CheckRun } from './run-checks.js';

/** What the doctor goes by; the server's own settings. */
export interface Examined extends Pick<
  ServerConfig,
  'dnsServers' | 'egressDeny' | 'allowLoopback' | 'upstreams' | 'registryDir' | 'rdapDirs'
> {
  /** Absent where nothing has been registered yet. */
  readonly nodes?: Registered | undefined;
}

/** Tries all upstreams of a server from here; the findings in the order of the report. Bounded by a minute. */
export async function examine(
  config: Examined,
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
    const isDeaf = nameServers.every(({ state }) => state === 'broken');
    // Without names hardly anything can be reached: nobody should wait for hundreds of them.
    const rest = await runChecks(checks, {
      ...run,
      deadline: isDeaf ? deadlineIn(DEAF_MS, deadline) : deadline,
    });
    return [...nameServers, ...rest, ...nodes];
  } finally {
    await http.close();
  }
}

const CHECK_MS = 5000;
const ALL_MS = 60_000;
/** For all others, when no name server answers. */
const DEAF_MS = 8000;
/** Hundreds of RDAP servers are to be asked, each of them once. */
const PARALLEL = 32;
