import type { ListClaim } from '../../lists/list-claim.js';
import { decideService, type ServicePolicy } from '../decide-service.js';
import type { Hit, ServiceVerdict, Surroundings } from '../service.js';

/** The day against which ages are reckoned in tests. */
export const TODAY = 20_000;

/** A list's word, seen yesterday in a copy of today unless said otherwise. */
export function hit(list: string, claim: ListClaim, { ageDays = 1, copyAgeDays = 0 } = {}): Hit {
  return { list, claim, lastSeen: TODAY - ageDays, ageDays, copyAgeDays };
}

/** What hits come to at an address of which nothing else is known. */
export function decide(
  hits: readonly Hit[],
  surroundings: Partial<Surroundings> = {},
  policy?: ServicePolicy,
): ServiceVerdict {
  return decideService(hits, { asn: undefined, networkType: undefined, ...surroundings }, policy);
}
