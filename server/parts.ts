import type { GlobalDns } from './global-dns/global-dns.js';
import type { IpRecords } from './lookup/ip-record.js';
import type { DownloadMeter } from './metering/download-meter.js';
import type { UsageReader } from './metering/usage.js';
import type { HostResolver } from './targets/host-resolver.js';

/** What endpoints work with besides the release; made once per process. */
export interface Parts {
  readonly resolver: HostResolver;
  readonly records: IpRecords;
  readonly globalDns: GlobalDns;
  readonly usage: UsageReader;
  readonly downloads: DownloadMeter;
}
