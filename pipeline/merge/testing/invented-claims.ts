import type { Claim } from '../../input/claims/claim.js';
import { FEED_IDS, type FeedId } from '../../feeds/feed-id.js';
import { pseudoRandom } from '../../table/networks.fixture.js';
import type { Claims } from '../location.js';
import { present } from '../../mmdb/present.js';
import { CITIES } from './example-places.js';

/** Returns a random whole number from 0 to `bound` - 1. */
export type Random = (bound: number) => number;

const NETWORKS = 4000;

/**
 * Returns the claims of the first invented network for which `holds` is false. Avoids one tap assertion per network.
 */
export function firstFailure(holds: (claims: Claims, random: Random) => boolean): Claims | undefined {
  const random = pseudoRandom(11);
  let failure: Claims | undefined;
  for (let i = 0; i < NETWORKS; i++) {
    const claims = inventClaims(random);
    if (!holds(claims, random)) failure ??= claims;
  }
  return failure;
}

/** Invents the claims of one network: every basis, ids and texts, with and without regions and coordinates. */
function inventClaims(random: Random): Claims {
  const claims: Claims = {};
  const cities = Object.values(CITIES).slice(0, 2 + random(8));
  for (const feed of FEED_IDS) if (random(4) > 0) claims[feed] = inventClaim(feed, cities, random);
  return claims;
}

/** The countries of most cities, and one without a city. */
const REGISTERED = ['FR', 'DE', 'CN', 'SE'];

type City = (typeof CITIES)[keyof typeof CITIES];

function inventClaim(feed: FeedId, cities: readonly City[], random: Random): Claim {
  const { id, region, latitude, longitude } = cities[random(cities.length)]!;
  const country = region?.slice(0, 2) ?? 'HK';
  const level = random(4);
  const isText = random(4) === 0;
  const hasPosition = level > 0 && random(2) === 0;
  const bases = feed === 'own' ? (['override', 'geofeed', 'cloud', 'exchange', 'registration'] as const) : [];
  return present({
    country,
    region: level > 0 && random(4) > 0 && !isText ? region : undefined,
    regionName: level > 0 && isText ? `a region of ${country}` : undefined,
    cityId: level > 1 && !isText ? id : undefined,
    cityName: level > 1 && isText ? `another name of ${id}` : undefined,
    latitude: hasPosition ? latitude + random(10) / 10 : undefined,
    longitude: hasPosition ? longitude + random(10) / 10 : undefined,
    timeZone: random(3) === 0 ? `Zone/${random(3)}` : undefined,
    accuracyClass: random(3) === 0 ? 1 + random(5) : undefined,
    registeredCountry: random(3) === 0 ? REGISTERED[random(REGISTERED.length)] : undefined,
    basis: bases[random(5)] ?? (random(5) === 0 ? ('registration' as const) : undefined),
  });
}
