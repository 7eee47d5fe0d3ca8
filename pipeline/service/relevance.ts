import type { ListClaim } from '../lists/list-claim.js';
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

/**
 * What of a claim `decideService` looks at: all but the names that are only passed on (`listed-names.ts`), by which
 * nearly all claims differ. Hits come to the same whose claims are the same here.
 */
export function relevantClaim(claim: ListClaim): ListClaim {
  const relevant: { -readonly [Field in keyof ListClaim]: ListClaim[Field] } = { ...claim };
  delete relevant.isp;
  delete relevant.domain;
  delete relevant.carrier;
  return relevant;
}
