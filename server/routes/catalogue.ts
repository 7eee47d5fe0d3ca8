import type { Route } from '../http/route.js';
import type { Parts } from '../parts.js';
import { account } from './account.js';
import { ipBatch } from './ip-batch.js';
import { ipLookup } from './ip-lookup.js';
import { ipSources } from './ip-sources.js';
import { ownIpFlat } from './own-ip-flat.js';
import { ownIpRoot } from './own-ip-root.js';
import { ownIpText } from './own-ip-text.js';
import { ownIp } from './own-ip.js';
import { asProfile } from './as-profile.js';
import { asTopology } from './as-topology.js';
import { datasetDownload } from './dataset-download.js';
import { datasetInfo } from './dataset-info.js';
import { dnsQuery } from './dns-query.js';
import { dnsRegions } from './dns-regions.js';
import { peeringSearch } from './peering-search.js';
import { prefixUpstreams } from './prefix-upstreams.js';
import { usage } from './usage.js';
import { whois } from './whois.js';

/** Every endpoint, in the order of `api.md`. */
export function routesOf(parts: Parts): readonly Route[] {
  return [
    ...[ownIp(parts), ownIpFlat(parts), ownIpRoot(parts), ownIpText],
    ...[ipLookup(parts), ipSources(parts), ipBatch(parts)],
    whois(parts),
    ...[asProfile, asTopology, prefixUpstreams, peeringSearch],
    ...[dnsRegions, dnsQuery(parts)],
    ...[account, usage(parts)],
    ...[datasetInfo, datasetDownload(parts)],
  ];
}
