import type { Family } from '../net/address.js';
import { continentOf, type Continent } from '../feeds/iso3166.js';
import type { Claim } from '../feeds/claim.js';
import { foldName } from '../gazetteer/place-name.js';
import type { Gazetteer } from '../gazetteer/gazetteer.js';
import { newAddress, type Address } from '../net/address.js';
import { formatPrefix, prefixFamily, type Prefix } from '../net/prefix.js';
import { PrefixTable } from '../table/prefix-table.js';
import { locatedPoint, type Point } from './point.js';

/** One network whose place is known, its names resolved where the gazetteer knows them. */
export interface TruthPlace {
  readonly prefix: Prefix;
  /** 1-based line of the truth file. */
  readonly line: number;
  readonly family: Family;
  /** The first address of the prefix that no longer prefix of the truth speaks about: the one that is looked up. */
  readonly address: Address;
  /** Addresses no longer prefix speaks about; IPv6 in /64 networks, which may be a fraction. */
  readonly weight: number;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly continent: Continent | undefined;
  /** ISO 3166-2, first level. */
  readonly region: string | undefined;
  /** GeoNames id. */
  readonly cityId: number | undefined;
  /** The city's name as the truth writes it, folded (see `foldName`). */
  readonly cityName: string | undefined;
  /** Where the gazetteer has the city. */
  readonly point: Point | undefined;
}

/** Something about a row of a truth file that people should know. */
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

/** Places to measure against, and every row that is none. */
export interface Truth {
  readonly places: readonly TruthPlace[];
  /** Rows that count for nothing: they repeat or contradict an earlier one, or longer prefixes leave them no address. */
  readonly setAside: readonly RowRemark[];
  /** Rows whose place is not asked about at some level that they name, because the gazetteer cannot follow them. */
  readonly partly: readonly RowRemark[];
}

/**
 * Gives the rows their place ids and settles who speaks about which address: of rows about one prefix the first
 * counts, and where prefixes nest the longer one speaks.
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
    if (isSpoken(space)) {
      const location = locate(row.claim, gazetteer);
      places.push(placeOf(row, space, location));
      partly.push(...location.unasked.map((reason) => remark(row, reason)));
    } else if (first === undefined) setAside.push(remark(row, 'covered'));
    else setAside.push(remark(row, saysTheSame(row.claim, rows[first]!.claim) ? 'duplicate' : 'conflict'));
  });
  return { places, setAside, partly };
}

interface Space {
  first: Address | undefined;
  addresses: number;
}

/** Space in which a row has the word. */
interface SpokenSpace extends Space {
  first: Address;
}

function isSpoken(space: Space): space is SpokenSpace {
  return space.first !== undefined;
}

/** What is left of each row's prefix once the longer ones have spoken. */
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

type Location = Pick<TruthPlace, 'region' | 'cityId' | 'cityName' | 'point'>;

/**
 * The row's texts read as a feed's are, so that both sides name regions and cities alike: a code of a second level or
 * of a region that no city is filed under (IT-MI, GB-SLG) becomes the region of the row's city. A city that is filed
 * across the border of the region that the row names (Lima of PE-LMA in PE-LIM) leaves open which of the two is right:
 * the region is not asked. Nor is the id of a city that is not known in the region or close to it: a namesake far away
 * is another city.
 */
function locate(
  { country, region, regionName, cityName }: TruthRow['claim'],
  gazetteer: Gazetteer,
): Location & { readonly unasked: readonly string[] } {
  const { region: named, city } = gazetteer.matchPlace({ country, region, regionName, cityName });
  const point = locatedPoint(city);
  const isStated = region !== undefined || regionName !== undefined;
  const isElsewhere = isStated && city?.region !== undefined && named !== city.region;
  const unasked = [
    ...(isStated && named === undefined ? ['region not known'] : []),
    ...(isElsewhere ? ['region is not that of the city'] : []),
    ...(cityName !== undefined && !city ? ['city not known'] : []),
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

function placeOf({ prefix, line, claim }: TruthRow, { first, addresses }: SpokenSpace, place: Location) {
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

function saysTheSame(one: Claim, other: Claim): boolean {
  return (['country', 'region', 'regionName', 'cityName'] as const).every(
    (level) => one[level] === other[level],
  );
}
