import { HOSTING_NETWORKS } from '../cloud/hosting-networks.js';
import { BUILT_IN_ALLOW_LIST, builtInAllowList } from './allowed-space.js';
import { decideService } from './decide-service.js';
import { joinService } from './join-service.js';
import type { ServiceDataset, ServiceParts } from './service.js';
import { relevantSurroundings } from './surroundings.js';

export { evidenceDataset } from './evidence-record.js';

/** `isp.mmdb`: who operates addresses, what they are used for, and whose cloud they are. */
export function serviceDataset(parts: ServiceParts): ServiceDataset {
  return joinService(parts, {
    decide: decideService,
    relevant: relevantSurroundings,
    allowed: { id: BUILT_IN_ALLOW_LIST, ...builtInAllowList() },
    hosting: HOSTING_NETWORKS,
  });
}
