import type { GlobalDns } from './global-dns/global-dns.js';
import type { IpRecords } from './lookup/ip-record.js';
import type { EgressGuard } from './egress/egress-guard.js';
import type { PublicHosts } from './egress/public-hosts.js';
import type { DownloadMeter } from './ledger/meters/download-meter.js';
import type { ProbeTargetMeter } from './ledger/meters/probe-target-meter.js';
import type { UsageReader } from './ledger/meters/usage.js';
import type { NodeRelay } from './nodes/node-relay.js';
import type { Prober } from './probe/prober.js';
import type { DnsClient } from './dns/dns-client.js';
import type { ReverseDns } from './dns/reverse-dns.js';
import type { ReleaseHistory } from './release/release-history.js';
import type { HostResolver } from './targets/host-resolver.js';
import type { ReservedSpace } from './targets/reserved-space.js';
import type { WhoisLookup } from './whois/whois-lookup.js';

/** Parts that endpoints use besides the release. Created once per process. */
export interface Parts {
  readonly resolver: HostResolver;
  readonly dns: DnsClient;
  /** For calls with many names or types at once. They use separate sockets. */
  readonly bulk: Pick<Parts, 'dns' | 'resolver'>;
  readonly reverseDns: ReverseDns;
  readonly reserved: ReservedSpace;
  readonly records: IpRecords;
  readonly history: ReleaseHistory;
  readonly globalDns: GlobalDns;
  readonly usage: UsageReader;
  readonly downloads: DownloadMeter;
  readonly guard: EgressGuard;
  readonly hosts: PublicHosts;
  readonly prober: Prober;
  readonly probeTargets: ProbeTargetMeter;
  /** Ports that are never probed (decision 66). */
  readonly refusedPorts: ReadonlySet<number>;
  readonly nodes: NodeRelay;
  readonly whois: Pick<WhoisLookup, 'lookup'>;
}
