import { typeOf } from './believed-type.js';
import { isCustomerCloud } from './cloud-precedence.js';
import { compareListedFirst } from './listed-first.js';
import type { Hit, Surroundings } from './service.js';

/** Lists whose own word on the usage of an address goes before all others, the first first. */
export const STATED_FIRST = ['ip2proxy', 'apple-relay'] as const;

/** What lists come to, the more special first; others follow by name. */
const DERIVED_FIRST = ['CDN', 'SES', 'DCH'] as const;

/**
 * Usage by PeeringDB's `info_type` (https://www.peeringdb.com/apidocs/). `Content` is hosting, delivery and companies
 * of the web alike, and what runs route servers or network services is none of the codes: no word is better than a
 * wrong one.
 */
export const USAGE_BY_NETWORK_TYPE: ReadonlyMap<string, string> = new Map([
  ['Cable/DSL/ISP', 'ISP'],
  ['NSP', 'ISP'],
  ['Educational/Research', 'EDU'],
  ['Government', 'GOV'],
  ['Enterprise', 'COM'],
  ['Non-Profit', 'ORG'],
]);

/**
 * What an address is used for: as a list states it (compound ones such as `ISP/MOB` as they are), else as lists of
 * edges, crawlers and data centres imply, else by the type of the network that announces it; else absent.
 */
export function usageTypeOf(hits: readonly Hit[], { asn, networkType }: Surroundings): string | undefined {
  for (const id of STATED_FIRST) {
    for (const { list, claim } of hits) {
      if (list === id && claim.usageType !== undefined) return claim.usageType;
    }
  }
  let derived: string | undefined;
  for (const hit of hits) {
    const usage = derivedUsage(hit, asn);
    if (usage === undefined) continue;
    if (derived === undefined || compareListedFirst(DERIVED_FIRST, usage, derived) < 0) derived = usage;
  }
  return derived ?? (networkType === undefined ? undefined : USAGE_BY_NETWORK_TYPE.get(networkType));
}

/** Whether a hit says that the address lies in a data centre, whatever it is used for there. */
export function namesDataCentre(hit: Hit, asn: number | undefined): boolean {
  return hit.claim.isHosting === true || typeOf(hit, asn) === 'DCH';
}

function derivedUsage(hit: Hit, asn: number | undefined): string | undefined {
  const { claim } = hit;
  if (claim.usageType !== undefined) return claim.usageType;
  if (claim.isEdge) return 'CDN';
  if (claim.type === 'SES' || claim.type === 'AIC') return 'SES';
  return isCustomerCloud(claim) || namesDataCentre(hit, asn) ? 'DCH' : undefined;
}
