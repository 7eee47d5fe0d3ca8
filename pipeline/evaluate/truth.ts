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
  /** ISO 3166-2. */
  readonly region: string | undefined;
  /** GeoNames id. */
  readonly cityId: number | undefined;
  /** The city's name as the truth writes it, folded (see `foldName`). */
  readonly cityName: string | undefined;
  /** Where the gazetteer has the city. */
  readonly point: Point | undefined;
}

/** Why a row of a truth file counts for nothing although it can be read, or why it cannot. */
export interface SetAside {
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
  readonly setAside: readonly SetAside[];
}

/**
 * Gives the rows their place ids and settles who speaks about which address: of rows about one prefix the first
 * counts, and where prefixes nest the longer one speaks.
 */
export function resolveTruth(rows: readonly TruthRow[], gazetteer: Gazetteer): Truth {
  const table = new PrefixTable();
  const setAside: SetAside[] = [];
  rows.forEach((row, id) => {
    const held = table.insert(row.prefix.address, row.prefix.length, id);
    if (held === undefined) return;
    const isSame = saysTheSame(row.claim, rows[held]!.claim);
    setAside.push(asideRow(row, isSame ? 'duplicate' : 'conflict'));
  });
  const spaces = spacesOf(table, rows.length);
  const places = rows.flatMap((row, id) => {
    const { first, addresses } = spaces[id]!;
    if (first) return [placeOf(row, first, addresses, gazetteer)];
    if (!setAside.some(({ line }) => line === row.line)) setAside.push(asideRow(row, 'covered'));
    return [];
  });
  return { places, setAside };
}

interface Space {
  first: Address | undefined;
  addresses: number;
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

function placeOf(
  { prefix, line, claim }: TruthRow,
  address: Address,
  addresses: number,
  gazetteer: Gazetteer,
) {
  const { country, cityName } = claim;
  const family = prefixFamily(prefix.address, prefix.length);
  const named = claim.regionName === undefined ? undefined : gazetteer.parseRegion(claim.regionName, country);
  const region = claim.region ?? named;
  const city =
    cityName === undefined
      ? undefined
      : // Operators write regions that are none of the city's (GB-SLG for London): the name alone may still tell.
        (gazetteer.findCity(cityName, country, region) ?? gazetteer.findCity(cityName, country));
  return {
    prefix,
    line,
    family,
    address,
    weight: family === 4 ? addresses : addresses / 2 ** 64,
    country,
    continent: continentOf(country),
    region,
    cityId: city?.id,
    cityName: cityName === undefined ? undefined : foldName(cityName),
    point: locatedPoint(city),
  } satisfies TruthPlace;
}

function asideRow({ prefix, line }: TruthRow, reason: string): SetAside {
  return { reason, line, excerpt: formatPrefix(prefix.address, prefix.length) };
}

function saysTheSame(one: Claim, other: Claim): boolean {
  return (['country', 'region', 'regionName', 'cityName'] as const).every(
    (level) => one[level] === other[level],
  );
}
