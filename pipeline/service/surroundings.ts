import { RENTED_HOSTING } from './believed-type.js';
import type { Surroundings } from './service.js';
import { USAGE_BY_NETWORK_TYPE } from './usage-type.js';

/**
 * What of the surroundings `decideService` looks at: an AS only where it is hosting that VPN brands rent, a type of
 * network only where it tells a usage. Hits come to the same in surroundings that are the same here.
 */
export function relevantSurroundings({ asn, networkType }: Surroundings): Surroundings {
  return {
    asn: asn !== undefined && RENTED_HOSTING.has(asn) ? asn : undefined,
    networkType:
      networkType !== undefined && USAGE_BY_NETWORK_TYPE.has(networkType) ? networkType : undefined,
  };
}
