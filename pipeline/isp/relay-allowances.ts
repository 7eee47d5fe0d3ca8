import type { ListClaim } from '../lists/list-claim.js';
import { PROXY_TYPES } from '../lists/proxy/proxy-types.js';
import type { ListInput } from './isp-inputs.js';

/**
 * Returns the lists of relays (CPN, EPN) among those that are left out of a file, with every claim replaced by an
 * allowance: other lists then cannot call a relay a VPN or an open proxy, and the file contains no row of the list.
 * Lists that name any other type, and the operator's own, are left out completely.
 */
export function relayAllowances(leftOut: readonly ListInput[]): ListInput[] {
  return leftOut
    .filter(({ claims }) => claims.every(namesRelay))
    .map((list) => ({ ...list, claims: list.claims.map(() => NO_OTHER_PROXY), asns: new Map() }));
}

/**
 * The allowance for relays. Lists of VPN ranges contain relays, and lists of open proxies contain proxies behind them.
 * TOR is not allowed, because a Tor exit stays a Tor exit.
 */
const NO_OTHER_PROXY: ListClaim = { allow: ['VPN', 'RES', 'PUB', 'WEB'] };

function namesRelay({ type, isOwn }: ListClaim): boolean {
  return type !== undefined && PROXY_TYPES.get(type)?.isRelay === true && isOwn !== true;
}
