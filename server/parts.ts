import type { GlobalDns } from './global-dns/global-dns.js';
import type { IpRecords } from './lookup/ip-record.js';
import type { DownloadMeter } from './metering/download-meter.js';
import type { UsageReader } from './metering/usage.js';
import type { HostResolver } from './targets/host-resolver.js';
import type { ReservedSpace } from './targets/reserved-space.js';
import type { WhoisLookup } from './whois/whois-lookup.js';

/** What endpoints work with besides the release; made once per process. */
export interface Parts {
  readonly resolver: HostResolver;
  readonly records: IpRecords;
  readonly globalDns: GlobalDns;
  readonly usage: UsageReader;
  readonly downloads: DownloadMeter;
  readonly reserved: ReservedSpace;
  readonly whois: Pick<WhoisLookup, 'lookup'>;
}
