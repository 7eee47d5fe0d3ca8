import type { ServerConfig } from '../config.js';
import { deadlineIn } from '../deadline.js';
import { openEgress } from '../process/open-egress.js';
import { readReservedSpace } from '../targets/reserved-space.js';
import { callerAddressCheck } from './caller-addresses.js';
import type { Check, Finding } from './check.js';
import { dohChecks, workerCheck } from './doh-checks.js';
import { nameServerChecks } from './name-server-checks.js';
import { examineNodes, type NodesRedis } from './probe-nodes.js';
import { clusterChecks } from './redis-cluster.js';
import { privateNameChecks } from './private-names.js';
import { ADDRESS_ECHOES, publicAddressCheck, type AddressEcho } from './public-address.js';
import { rdapChecks, whoisCheck } from './whois-checks.js';
import { runChecks, type CheckRun } from './run-checks.js';

/** The settings the doctor examines: the server's own. */
export interface DoctorConfig extends Pick<
  ServerConfig,
  'dnsServers' | 'egressDeny' | 'allowLoopback' | 'trustedProxies' | 'upstreams' | 'registryDir' | 'rdapDirs'
> {
  /** Servers that answer with this machine's public address. Replaced in tests. */
  readonly addressEchoes?: readonly AddressEcho[];
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
  const reserved = await readReservedSpace(config.registryDir);
  const { http, hosts, guard } = openEgress(config, reserved);
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
    const working = new Set(nameServers.filter(({ state }) => state === 'ok').map(({ name }) => name));
    const settings = [
      ...clusterChecks(config.nodes),
      publicAddressCheck({ hosts, guard }, config.addressEchoes ?? ADDRESS_ECHOES),
      ...(config.nodes === undefined
        ? []
        : [callerAddressCheck({ ...config, redis: config.nodes, reserved })]),
      ...privateNameChecks(config.dnsServers, reserved).filter(({ server }) => working.has(server)),
    ];
    const hasNoDns = nameServers.every(({ state }) => state === 'broken');
    // Without name servers almost every other check fails, so they get less time.
    const rest = await runChecks([...settings, ...checks], {
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
