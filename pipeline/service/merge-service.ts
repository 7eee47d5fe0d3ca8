import { HOSTING_NETWORKS } from '../cloud/hosting-networks.js';
import { BUILT_IN_ALLOW_LIST, builtInAllowList } from './allowed-space.js';
import { decideService, SERVICE_POLICY } from './decide-service.js';
import { joinService } from './join-service.js';
import { listedNames } from './listed-names.js';
import { relevantClaim, relevantSurroundings } from './relevance.js';
import type { IspDataset, ServiceParts } from './service.js';

export { evidenceDataset } from './evidence-dataset.js';

/** `isp.mmdb`: who operates addresses, what they are used for, and whose cloud they are. */
export function serviceDataset(parts: ServiceParts, policy = SERVICE_POLICY): IspDataset {
  return joinService(parts, {
    decide: (hits, surroundings) => decideService(hits, surroundings, policy),
    relevantSurroundings,
    relevantClaim,
    namesOf: listedNames,
    allowed: { id: BUILT_IN_ALLOW_LIST, ...builtInAllowList() },
    hosting: HOSTING_NETWORKS,
  });
}
