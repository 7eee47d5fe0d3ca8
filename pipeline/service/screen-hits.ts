import { EVERY_LIST } from '../proxy/allow-scopes.js';
import { PROXY_TYPES } from '../proxy/proxy-types.js';
import type { Hit } from './service.js';

/** Lists that live and die as one copy: their rows tell no use after a time of their own. */
export const KEPT_WITH_COPY: ReadonlySet<string> = new Set(['ip2proxy']);

/** Whose words on which types mean nothing inside the edge of a delivery network: its customers are seen there. */
export const BLIND_AT_EDGES: ReadonlySet<string> = new Set(['open-proxies', 'x4bnet', 'ip2proxy']);
const BLIND_TYPES: ReadonlySet<string> = new Set(['PUB', 'VPN', 'RES', 'WEB']);

/** Why a hit does not count, or not in full. */
export type Drop = 'allowed' | 'edge' | 'expired';

/** Whether a hit is older than its type is believed; an operator's own word stands until he takes it back. */
export function isExpired({ list, claim, ageDays }: Hit): boolean {
  if (claim.type === undefined || claim.isOwn === true || KEPT_WITH_COPY.has(list)) return false;
  return ageDays > (PROXY_TYPES.get(claim.type)?.maxAgeDays ?? Infinity);
}

/** What is known of the place that hits are about. */
export interface Place {
  /** Scopes of all that is allowed there. */
  readonly allowed: ReadonlySet<string>;
  readonly isEdge: boolean;
}

/** What hits together tell of their place. */
export function placeOf(hits: readonly Hit[]): Place {
  let allowed: Set<string> | undefined;
  let isEdge = false;
  for (const { claim } of hits) {
    if (claim.isEdge) isEdge = true;
    if (claim.allow === undefined) continue;
    allowed ??= new Set();
    for (const scope of claim.allow) allowed.add(scope);
  }
  return { allowed: allowed ?? NOTHING, isEdge };
}

const NOTHING: ReadonlySet<string> = new Set();

/**
 * Why the words of a hit do not count at a place: `allowed` takes type, brand, score and threats from it, `edge` all
 * of these but the threats. Absent: it counts. What it says of clouds and usage stands in any case.
 */
export function whyDropped(hit: Hit, type: string | undefined, place: Place): Drop | undefined {
  const { list, claim } = hit;
  if (isAllowed(hit, type, place.allowed)) return saysAnything(claim) ? 'allowed' : undefined;
  const isBlind = BLIND_AT_EDGES.has(list) && claim.evidence !== 'commercial' && claim.isOwn !== true;
  return place.isEdge && isBlind && type !== undefined && BLIND_TYPES.has(type) ? 'edge' : undefined;
}

/** An operator's list has settled its own rows among themselves. */
function isAllowed({ list, claim }: Hit, type: string | undefined, allowed: Place['allowed']): boolean {
  if (claim.isOwn === true || allowed.size === 0) return false;
  return allowed.has(EVERY_LIST) || allowed.has(list) || (type !== undefined && allowed.has(type));
}

function saysAnything({ type, threats }: Hit['claim']): boolean {
  return type !== undefined || (threats?.length ?? 0) > 0;
}
