import type { Route } from '../http/route.js';
import type { Parts } from '../parts.js';
import { account } from './account.js';
import { dnsQuery } from './dns-query.js';
import { dnsRecords } from './dns-records.js';
import { ipBatch } from './ip-batch.js';
import { ipLookup } from './ip-lookup.js';
import { ipSources } from './ip-sources.js';
import { ownIpFlat } from './own-ip-flat.js';
import { ownIpRoot } from './own-ip-root.js';
import { ownIpText } from './own-ip-text.js';
import { ownIp } from './own-ip.js';
import { asProfile } from './as-profile.js';
import { asTopology } from './as-topology.js';
import { datasetChanges } from './dataset-changes.js';
import { datasetDelta } from './dataset-delta.js';
import { datasetDownload } from './dataset-download.js';
import { datasetInfo } from './dataset-info.js';
import { nodes } from './nodes.js';
import { globalDnsQuery } from './global-dns-query.js';
import { globalDnsRegions } from './global-dns-regions.js';
import { peeringSearch } from './peering-search.js';
import { prefixUpstreams } from './prefix-upstreams.js';
import { tcping } from './tcping.js';
import { rdns } from './rdns.js';
import { updatesArchive } from './updates-archive.js';
import { updatesFile } from './updates-file.js';
import { updatesMetadata } from './updates-metadata.js';
import { usage } from './usage.js';
import { whois } from './whois.js';

/** Returns all endpoints, in the order of `server/api.md`. */
export function routesOf(parts: Parts): readonly Route[] {
  const bulk = { ...parts, ...parts.bulk };
  // prettier-ignore
  return [
    ownIp(parts), ownIpFlat(parts), ownIpRoot(parts), ownIpText,
    ipLookup(parts), ipSources(parts), ipBatch(bulk),
    whois(parts), dnsRecords(bulk), dnsQuery(parts), tcping(parts),
    asProfile, asTopology, prefixUpstreams, peeringSearch, rdns(parts), nodes(parts),
    globalDnsRegions, globalDnsQuery(parts),
    account, usage(parts),
    datasetInfo, datasetDownload(parts), datasetChanges(parts), datasetDelta(parts),
    updatesMetadata, updatesArchive(parts), updatesFile(parts),
  ];
}
