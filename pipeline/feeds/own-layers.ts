import type { Claim } from './claim.js';

/** The layers of the feed `own`, the strongest first. */
export const OWN_LAYERS = ['override', 'geofeed', 'whois', 'delegation'] as const;

/** Indexes into OWN_LAYERS. */
export const OVERRIDE = 0;
export const GEOFEED = 1;
export const WHOIS = 2;
export const DELEGATION = 3;

/**
 * The claim of an operator who asks not to be located (RFC 8805 §2.1.2). It stands in the geofeed layer so that
 * whois and delegation below do not answer in his stead.
 */
export const NOT_LOCATED: Claim = { basis: 'geofeed' };

/**
 * What `own` says about one network: the first layer with a location wins outright, nothing of a weaker layer's
 * location is mixed in. The country of registration comes from the delegation, else from whois. An override
 * without a location gives its ISP alone. Entry i of `claims` belongs to layer i.
 */
export function combineOwn(claims: readonly (Claim | undefined)[]): Claim | undefined {
  const override = claims[OVERRIDE];
  const located = locatingClaim(claims);
  const registeredCountry = claims[DELEGATION]?.country ?? claims[WHOIS]?.country;
  const isp = override?.isp;
  if (!located && isp === undefined && registeredCountry === undefined) return undefined;
  return {
    ...(located ?? { basis: isp === undefined ? 'registration' : 'override' }),
    ...(isp !== undefined && { isp }),
    ...(registeredCountry !== undefined && { registeredCountry }),
  };
}

function locatingClaim(claims: readonly (Claim | undefined)[]): Claim | undefined {
  const override = claims[OVERRIDE];
  if (override && hasLocation(override)) return override;
  const geofeed = claims[GEOFEED];
  if (geofeed) return hasLocation(geofeed) ? geofeed : undefined;
  return claims[WHOIS] ?? claims[DELEGATION];
}

/** No reader of this feed makes a claim that has a place without a country. */
function hasLocation(claim: Claim): boolean {
  return claim.country !== undefined;
}
