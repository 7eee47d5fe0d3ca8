import { basename, extname } from 'node:path';
import type { Gazetteer } from '../gazetteer/gazetteer.js';
import type { Claim } from '../input/claims/claim.js';
import type { ResolvedClaim } from '../merge/resolved-claim.js';
import type { FlatTable } from '../table/flat-table.js';
import type { ClaimLookup } from './claim-lookup.js';
import type { KnownPlace } from './known-place.js';
import { locate } from './truth.js';

/** A network with a known place, and what the feeds claim about its first address. */
export interface Case {
  /** Who states the place: the name of the file without its extension. */
  readonly operator: string;
  readonly place: KnownPlace;
  readonly claims: readonly ResolvedClaim[];
}

/** The claims of the feed `own` as its files spell them, including the statements of operators. */
export interface Statements {
  readonly table: FlatTable;
  readonly claims: readonly Claim[];
}

/**
 * Returns a case for each network whose operator states its place. `lookup` must not contain the statements. Networks
 * are those of the table, where a stated prefix is divided by other rows inside it. Equal cases are one object: there
 * may be millions of networks.
 */
export function casesOf({ table, claims }: Statements, lookup: ClaimLookup, gazetteer: Gazetteer): Case[] {
  const places = claims.map((claim) => statedPlace(claim, gazetteer));
  const byClaims = claims.map(() => new Map<readonly ResolvedClaim[], Case>());
  const cases: Case[] = [];
  table.forEach((address, _length, claimId) => {
    const stated = places[claimId];
    if (!stated) return;
    const others = lookup.at(address);
    const known = byClaims[claimId]!;
    let one = known.get(others);
    if (!one) known.set(others, (one = { ...stated, claims: others }));
    cases.push(one);
  });
  return cases;
}

function statedPlace(claim: Claim, gazetteer: Gazetteer): Pick<Case, 'operator' | 'place'> | undefined {
  const { country, statedBy, latitude, longitude } = claim;
  if (country === undefined || statedBy === undefined) return undefined;
  const { region, cityId, cityName, point } = locate({ ...claim, country }, gazetteer);
  const own = latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
  return {
    operator: basename(statedBy, extname(statedBy)),
    place: { country, region, cityId, cityName, point: own ?? point },
  };
}
