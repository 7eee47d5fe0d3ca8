import { readClaims } from '../feeds/claim-file.js';
import type { Claim } from '../feeds/claim.js';
import type { FeedId } from '../feeds/feed-id.js';
import type { Gazetteer } from '../gazetteer/gazetteer.js';
import { resolveClaims, type ResolutionReport } from '../merge/resolve-claims.js';
import type { ManifestInput } from '../release/contract.js';
import type { FlatTable } from '../table/flat-table.js';
import { tableIn } from './feed-reader.js';
import type { IngestResult } from './ingest.js';
import { feedById } from './sources.js';

/** One feed's normalised table, and its claims with places by the names of each gazetteer. */
export interface GeoFeed {
  readonly feed: FeedId;
  readonly input: ManifestInput;
  readonly table: FlatTable;
  readonly claims: readonly Claim[];
  /** By the names that may be handed on; absent for a feed that stays out of downloadable files. */
  readonly openClaims: readonly Claim[] | undefined;
}

/** Gazetteers by what may become of the names in them: looked up by our API, or handed on. */
export interface Gazetteers {
  readonly full: Gazetteer;
  readonly open: Gazetteer;
}

/** Loads what an ingest job made; absent when nothing of the feed was usable. */
export function loadGeoFeed(
  { input, kept }: IngestResult,
  { full, open }: Gazetteers,
  datasetFeeds: readonly string[],
): GeoFeed | undefined {
  if (!kept) return undefined;
  const { id } = feedById(input.feed);
  const networks = readClaims(tableIn(kept.dir));
  const weights = networksPerClaim(networks.table, networks.claims.length);
  const { claims, report } = resolveClaims(networks.claims, full, weights);
  return {
    feed: id,
    input: { ...input, places: placesOf(report) },
    table: networks.table,
    claims,
    openClaims: datasetFeeds.includes(id) ? resolveClaims(networks.claims, open).claims : undefined,
  };
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
