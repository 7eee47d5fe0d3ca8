import type { Family } from '../net/address.js';
import { continentOf, type Continent } from '../input/names/iso3166.js';
import type { Claim } from '../input/claims/claim.js';
import { foldName } from '../gazetteer/place-name.js';
import type { Gazetteer } from '../gazetteer/gazetteer.js';
import { newAddress, type Address } from '../net/address.js';
import { formatPrefix, prefixFamily, type Prefix } from '../net/prefix.js';
import { PrefixTable } from '../table/prefix-table.js';
import type { KnownPlace } from './known-place.js';
import { locatedPoint } from './point.js';

/** A network with a known place, with names resolved to ids if the gazetteer knows them. */
export interface TruthPlace extends KnownPlace {
  readonly prefix: Prefix;
  /** 1-based line of the truth file. */
  readonly line: number;
  readonly family: Family;
  /** The address to look up: the first one outside all longer prefixes of the truth. */
  readonly address: Address;
  /**
   * The number of addresses outside all longer prefixes of the truth; for IPv6 in /64 networks, possibly a fraction.
   */
  readonly weight: number;
  readonly continent: Continent | undefined;
}

/** A remark on a row of a truth file. */
export interface RowRemark {
  readonly reason: string;
  /** 1-based line. */
  readonly line: number;
  /** The beginning of the row, or its prefix. */
  readonly excerpt: string;
}

/** A row of a truth file that names a place. */
export interface TruthRow {
  readonly prefix: Prefix;
  readonly line: number;
  readonly claim: Claim & { readonly country: string };
}

/** The places of an evaluation, with remarks on other rows. */
export interface Truth {
  readonly places: readonly TruthPlace[];
  /** Ignored rows: they repeat or contradict an earlier row, or longer prefixes cover all their addresses. */
  readonly setAside: readonly RowRemark[];
  /** Rows with a level that is not compared, because the gazetteer cannot resolve it. */
  readonly partly: readonly RowRemark[];
}

/**
 * Resolves the places of the rows, and determines which row applies to which address: the first row about a prefix, and
 * the longest prefix of nested ones.
 */
export function resolveTruth(rows: readonly TruthRow[], gazetteer: Gazetteer): Truth {
  const table = new PrefixTable();
  const held = rows.map(({ prefix }, id) => table.insert(prefix.address, prefix.length, id));
  const spaces = spacesOf(table, rows.length);
  const places: TruthPlace[] = [];
  const setAside: RowRemark[] = [];
  const partly: RowRemark[] = [];
  rows.forEach((row, id) => {
    const space = spaces[id]!;
    const first = held[id];
    if (hasAddresses(space)) {
      const location = locate(row.claim, gazetteer);
      places.push(placeOf(row, space, location));
      partly.push(...location.unasked.map((reason) => remark(row, reason)));
    } else if (first === undefined) setAside.push(remark(row, 'covered'));
    else setAside.push(remark(row, isSame(row.claim, rows[first]!.claim) ? 'duplicate' : 'conflict'));
  });
  return { places, setAside, partly };
}

interface Space {
  first: Address | undefined;
  addresses: number;
}

/** A space of at least one address. */
interface NonEmptySpace extends Space {
  first: Address;
}

function hasAddresses(space: Space): space is NonEmptySpace {
  return space.first !== undefined;
}

/** Returns the part of each row's prefix outside all longer prefixes. */
function spacesOf(table: PrefixTable, rows: number): Space[] {
  const spaces = Array.from({ length: rows }, (): Space => ({ first: undefined, addresses: 0 }));
  table.flatten().forEach((address, length, id) => {
    const space = spaces[id]!;
    if (!space.first) {
      space.first = newAddress();
      space.first.set(address);
    }
    space.addresses += 2 ** (128 - length);
  });
  return spaces;
}

type Location = Omit<KnownPlace, 'country'>;

/**
 * Resolves a row's texts like those of a feed, so that both sides use the same ids.
 *
 * - A second-level region, or a region without cities in the gazetteer (IT-MI, GB-SLG), becomes the region of the city.
 * - If the gazetteer has the city in another region than the row (Lima of PE-LMA in PE-LIM), the region is not compared.
 * - If the city is not found in the region or close to it, its id is not compared: a distant namesake is another city.
 */
export function locate(
  { country, region, regionName, cityName }: TruthRow['claim'],
  gazetteer: Gazetteer,
): Location & { readonly unasked: readonly string[] } {
  const { region: named, city } = gazetteer.matchPlace({ country, region, regionName, cityName });
  const point = locatedPoint(city);
  const isStated = region !== undefined || regionName !== undefined;
  const isElsewhere = isStated && city?.region !== undefined && named !== city.region;
  const unasked = [
    ...(isStated && named === undefined ? ['unknown region'] : []),
    ...(isElsewhere ? ['region is not that of the city'] : []),
    ...(cityName !== undefined && !city ? ['unknown city'] : []),
    ...(city && !point ? ['city has no coordinates'] : []),
  ];
  return {
    region: isStated && !isElsewhere ? named : undefined,
    cityId: city?.id,
    cityName: cityName === undefined ? undefined : foldName(cityName),
    point,
    unasked,
  };
}

function placeOf({ prefix, line, claim }: TruthRow, { first, addresses }: NonEmptySpace, place: Location) {
  const { country } = claim;
  const { region, cityId, cityName, point } = place;
  const family = prefixFamily(prefix.address, prefix.length);
  return {
    prefix,
    line,
    family,
    address: first,
    weight: family === 4 ? addresses : addresses / 2 ** 64,
    country,
    continent: continentOf(country),
    region,
    cityId,
    cityName,
    point,
  } satisfies TruthPlace;
}

function remark({ prefix, line }: TruthRow, reason: string): RowRemark {
  return { reason, line, excerpt: formatPrefix(prefix.address, prefix.length) };
}

function isSame(one: Claim, other: Claim): boolean {
  return (['country', 'region', 'regionName', 'cityName'] as const).every(
    (level) => one[level] === other[level],
  );
}
