import type { Claim } from '../input/claims/claim.js';
import type { FeedId } from '../feeds/feed-id.js';
import { readColumns, writeColumns } from '../table/column-file.js';
import { ABSENT } from '../table/zip.js';
import { CityColumns } from './city-columns.js';
import { ClaimResolver } from './claim-resolver.js';
import type { Area, Places } from './places.js';
import { ClaimReader } from './claim-reader.js';
import type { ClaimWeight, ResolvedClaim } from './resolved-claim.js';
import { CLAIM_WIDTH, ResolvedClaimTable, type ClaimColumns } from './resolved-claim-table.js';

/** The resolved claims of one feed in one edition. */
export interface ResolvedClaims {
  /** By claim id: the id of the resolved claim, or ABSENT for claims without a country. */
  readonly ids: Int32Array;
  /** Returns a distinct resolved claim. */
  readonly at: (id: number) => ResolvedClaim;
  /** Returns the same claim in an object that the next call may overwrite. */
  readonly view: (id: number) => ResolvedClaim;
}

/** Resolved claims that can be written to a file. */
export interface WritableClaims extends ResolvedClaims {
  readonly columns: ClaimColumns;
}

/** Resolves the claims of a feed after `resolvePlaces`. */
export function resolveClaims(feed: FeedId, claims: readonly Claim[], places: Places): WritableClaims {
  const resolver = new ClaimResolver(places);
  const table = new ResolvedClaimTable();
  const ids = new Int32Array(claims.length).fill(ABSENT);
  for (let claimId = 0; claimId < claims.length; claimId++) {
    const claim = resolver.resolve(feed, claims[claimId]!);
    if (claim) ids[claimId] = table.intern(claim);
  }
  const at = (id: number): ResolvedClaim => table.claims[id]!;
  return { ids, at, view: at, columns: table.columns() };
}

/** The columns of a file. Weights and areas are objects as JSON. */
const SPEC = {
  ids: 'u32',
  tuples: 'u32',
  texts: 'text',
  weights: 'text',
  cities: 'u32',
  coordinates: 'f64',
  areas: 'text',
} as const;

/** Writes resolved claims with the facts of the gazetteer that they need. */
export function writeResolvedClaims(path: string, { ids, columns }: WritableClaims, places: Places): void {
  const { tuples, texts, weights } = columns;
  const cities = citiesIn(tuples);
  const coordinates = new Float64Array(2 * cities.length);
  cities.forEach((cityId, i) => {
    const { latitude = Number.NaN, longitude = Number.NaN } = places.coordinatesOf(cityId) ?? {};
    coordinates.set([latitude, longitude], 2 * i);
  });
  // A text that is no code has no area.
  const areas = texts.flatMap((text) => places.areaOf(text) ?? []);
  writeColumns(path, SPEC, {
    ids: unsigned(ids),
    tuples: unsigned(tuples),
    texts,
    weights: weights.map((weight) => JSON.stringify(weight)),
    cities,
    coordinates,
    areas: areas.map((area) => JSON.stringify(area)),
  });
}

/** Reads a file of `writeResolvedClaims`. Throws ColumnFileError. */
export function readResolvedClaims(path: string): ResolvedClaims {
  const { ids, tuples, texts, weights: jsons, cities, coordinates, areas } = readColumns(path, SPEC);
  const weights = jsons.map((json) => JSON.parse(json) as ClaimWeight);
  const areasByCode = new Map(areas.map((json) => JSON.parse(json) as Area).map((area) => [area.code, area]));
  const reader = new ClaimReader(
    { tuples: signed(tuples), texts, weights },
    { cities: new CityColumns(cities, coordinates), areaOf: (code) => areasByCode.get(code) },
  );
  return { ids: signed(ids), at: (id) => reader.at(id), view: (id) => reader.view(id) };
}

/** The position of the city's id in a tuple. */
const CITY_FIELD = 4;

/** Returns the ids of all cities, ascending, and the number that means none. */
function citiesIn(tuples: Int32Array): Uint32Array {
  const ids = new Set<number>();
  for (let at = CITY_FIELD; at < tuples.length; at += CLAIM_WIDTH) ids.add(tuples[at]! >>> 0);
  return Uint32Array.from(ids).sort();
}

function unsigned({ buffer, byteOffset, length }: Int32Array): Uint32Array {
  return new Uint32Array(buffer, byteOffset, length);
}

function signed({ buffer, byteOffset, length }: Uint32Array): Int32Array {
  return new Int32Array(buffer, byteOffset, length);
}
