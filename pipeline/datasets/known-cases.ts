import { ClaimLookup, resolvedOnUse, type FeedClaims } from '../evaluate/claim-lookup.js';
import { casesOf, type Case } from '../evaluate/statements.js';
import type { TruthPlace } from '../evaluate/truth.js';
import type { Gazetteer } from '../gazetteer/gazetteer.js';
import { placesOf } from '../merge/places.js';
import type { ResolvedClaim } from '../merge/resolved-claim.js';
import { formatPrefix } from '../net/prefix.js';
import type { GeoFeed } from './geo-feeds.js';

/**
 * Returns a case for each network whose operator states its place in one of the feeds, with the claims of all feeds but
 * that statement.
 */
export function statedCases(feeds: readonly GeoFeed[], gazetteer: Gazetteer): Case[] {
  const others = feeds.map(({ feed, table, claims, statements }) => ({
    feed,
    ...(statements?.unstated ?? { table, claims }),
  }));
  const lookup = new ClaimLookup(resolvedOnUse(others, placesOf(gazetteer)));
  return feeds.flatMap(({ table, statements }) =>
    statements ? casesOf({ table, claims: statements.claims }, lookup, gazetteer) : [],
  );
}

/**
 * Returns a case for each place of a truth file, with the claims of all feeds. Left out are networks whose place the
 * feeds have from an override or from an operator (a row of a geofeed outside of its blocks may be the same statement), and
 * those without an operator in `operators` (by prefix).
 */
export function truthCases(
  places: readonly TruthPlace[],
  operators: ReadonlyMap<string, string>,
  { feeds, gazetteer }: { readonly feeds: readonly FeedClaims[]; readonly gazetteer: Gazetteer },
): Case[] {
  const lookup = new ClaimLookup(resolvedOnUse(feeds, placesOf(gazetteer)));
  return places.flatMap((place) => {
    const { address, length } = place.prefix;
    const operator = operators.get(formatPrefix(address, length));
    const claims = lookup.at(place.address);
    return operator === undefined || claims.some(isStated) ? [] : [{ operator, place, claims }];
  });
}

/** Whether a claim is an override or from an operator. The observations of `own` are rows of geofeeds. */
function isStated({ weight: { feed, basis, rule } }: ResolvedClaim): boolean {
  return rule !== 'vote' || (feed === 'own' && basis === 'observation');
}
