import type { Route } from '../http/route.js';
import type { Parts } from '../parts.js';
import { asProfile } from './as-profile.js';
import { asTopology } from './as-topology.js';
import { datasetDownload } from './dataset-download.js';
import { datasetInfo } from './dataset-info.js';
import { peeringSearch } from './peering-search.js';
import { prefixUpstreams } from './prefix-upstreams.js';

/** Every endpoint, in the order of `api.md`. */
export function routesOf(parts: Parts): readonly Route[] {
  return [asProfile, asTopology, prefixUpstreams, peeringSearch(), datasetInfo, datasetDownload(parts)];
}
