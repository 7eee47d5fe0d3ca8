import type { ListClaim } from '../lists/list-claim.js';
import { PROXY_TYPES } from '../proxy/proxy-types.js';
import type { ListInput } from './service.js';

/**
 * What may be heard in a file of the lists that are left out of it: that addresses of relays (CPN, EPN) are none of
 * what weaker words take them for. What is not said of them needs no rows of theirs. Lists that name anything else, and
 * an operator's own, are not heard at all.
 */
export function unquotedRelays(leftOut: readonly ListInput[]): ListInput[] {
  return leftOut
    .filter(({ claims }) => claims.every(namesRelay))
    .map((list) => ({ ...list, claims: list.claims.map(() => NO_OTHER_PROXY), asns: new Map() }));
}

/** Ranges of VPNs swallow relays, and open proxies are seen behind them. An exit of Tor is one wherever it is. */
const NO_OTHER_PROXY: ListClaim = { allow: ['VPN', 'RES', 'PUB', 'WEB'] };

function namesRelay({ type, isOwn }: ListClaim): boolean {
  return type !== undefined && PROXY_TYPES.get(type)?.isRelay === true && isOwn !== true;
}
