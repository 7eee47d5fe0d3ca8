import { readClaimTable } from '../input/claims/claim-table-file.js';
import { CLAIM_FORMAT } from '../input/claims/claim.js';
import type { Claim } from '../input/claims/claim.js';
import type { BorrowedClaims } from '../feeds/feed.js';
import type { FeedId } from '../feeds/feed-id.js';
import type { Gazetteer } from '../gazetteer/gazetteer.js';
import { resolvePlaces, type ResolutionReport } from '../merge/resolve-places.js';
import type { ManifestInput } from '../release/contract.js';
import type { FlatTable } from '../table/flat-table.js';
import { tableIn, unstatedIn } from '../ingest/feed-reader.js';
import type { LocatedIngest } from './located.js';
import { feedById } from '../snapshot/sources.js';

/** One feed's normalised table, and its claims with places resolved by each gazetteer. */
export interface GeoFeed {
  readonly feed: FeedId;
  readonly input: ManifestInput;
  readonly table: FlatTable;
  readonly claims: readonly Claim[];
  /** The claims that rest on data under other terms. */
  readonly borrowed: readonly BorrowedClaims[];
  /**
   * Claims without borrowed ones, resolved with the open gazetteer; absent if the feed may not be in files for download.
   */
  readonly openClaims: readonly Claim[] | undefined;
  /** Absent for a feed without statements of operators. */
  readonly statements: GeoStatements | undefined;
}

/** The claims of a feed with statements of operators, before places are resolved, and the claims without them. */
export interface GeoStatements {
  readonly claims: readonly Claim[];
  readonly unstated: { readonly table: FlatTable; readonly claims: readonly Claim[] };
}

/** Gazetteers by permitted use of their names: `full` for the API only, `open` for redistribution. */
export interface Gazetteers {
  readonly full: Gazetteer;
  readonly open: Gazetteer;
}

/** Loads the result of an ingest job. Returns undefined if no file of the feed was usable. */
export function loadGeoFeed(
  { input, kept }: LocatedIngest,
  { full, open }: Gazetteers,
  datasetFeeds: readonly string[],
): GeoFeed | undefined {
  if (!kept) return undefined;
  const feed = feedById(input.feed);
  const { id, borrowed = [] } = feed;
  const networks = readClaimTable(tableIn(kept.dir), CLAIM_FORMAT);
  const weights = networksPerClaim(networks.table, networks.claims.length);
  const { claims, report } = resolvePlaces(networks.claims, full, weights);
  return {
    feed: id,
    input: { ...input, places: placesOf(report) },
    table: networks.table,
    claims,
    borrowed,
    openClaims: datasetFeeds.includes(id)
      ? resolvePlaces(withoutBorrowed(networks.claims, borrowed), open).claims
      : undefined,
    statements: feed.combineUnstated && { claims: networks.claims, unstated: loadUnstated(kept.dir, full) },
  };
}

function loadUnstated(dir: string, gazetteer: Gazetteer): GeoStatements['unstated'] {
  const { table, claims } = readClaimTable(unstatedIn(dir), CLAIM_FORMAT);
  return { table, claims: resolvePlaces(claims, gazetteer).claims };
}

function withoutBorrowed(claims: readonly Claim[], borrowed: readonly BorrowedClaims[]): readonly Claim[] {
  return borrowed.reduce((rest, { without }) => rest.map(without), claims);
}

function placesOf({
  total,
  levels,
  unresolvedRegions,
  unresolvedCities,
}: ResolutionReport): ManifestInput['places'] {
  return {
    total,
    levels,
    unresolvedRegions: [...unresolvedRegions],
    unresolvedCities: [...unresolvedCities],
  };
}

function networksPerClaim(table: FlatTable, claims: number): Uint32Array {
  const counts = new Uint32Array(claims);
  table.forEach((_address, _length, claimId) => {
    counts[claimId]!++;
  });
  return counts;
}
