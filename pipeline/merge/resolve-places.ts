import type { Claim } from '../input/claims/claim.js';
import type { Gazetteer, Place } from '../gazetteer/gazetteer.js';
import { chooseCity, regionOf } from '../gazetteer/choose-city.js';
import type { TextMatch } from '../gazetteer/match-place.js';
import { present } from '../mmdb/present.js';

/** Claims with ids in place of names that the gazetteer knows. */
export interface PlaceResolution {
  readonly claims: readonly Claim[];
  /** The number of claims that keep the text of a region or city. */
  readonly unresolved: number;
  readonly report: ResolutionReport;
}

/** How many networks were resolved to which level. Every count is a sum of weights. */
export interface ResolutionReport {
  readonly total: number;
  /** By the finest level with an id; `none` for claims without a country. */
  readonly levels: Readonly<Record<ResolutionLevel, number>>;
  /** The texts without a matching place, the most frequent first. */
  readonly unresolvedRegions: readonly UnresolvedName[];
  readonly unresolvedCities: readonly UnresolvedName[];
}

/** The finest level of a claim that has an id. */
export type ResolutionLevel = 'city' | 'region' | 'country' | 'none';

/** A text of a feed without a matching place. */
export interface UnresolvedName {
  readonly country: string;
  /** For a city: the region in which it was searched, as a code or else the feed's text. */
  readonly region?: string;
  readonly name: string;
  readonly count: number;
}

/**
 * Replaces names by ids: the text of a region by its ISO 3166-2 code, the text of a city by its GeoNames id. A name
 * must match within the claim's country and near its coordinates. The code of a second-level region becomes that of its
 * first-level region. The city's own region replaces another one that the claim states. Names without a match keep their text. `weights[i]` is the number of networks with claim i, for
 * the report; the default is 1 each.
 */
export function resolvePlaces(
  claims: readonly Claim[],
  gazetteer: Gazetteer,
  weights?: ArrayLike<number>,
): PlaceResolution {
  const resolver = new Resolver(gazetteer);
  const resolved = claims.map((claim, index) => resolver.resolve(claim, weights?.[index] ?? 1));
  return { claims: resolved, unresolved: resolver.unresolved, report: resolver.report() };
}

/** The match of one combination of texts, and the weight of the claims that it left unresolved. */
interface MatchedTexts {
  readonly claim: Claim;
  readonly place: TextMatch;
  regionMisses: number;
  cityMisses: number;
}

const NAMES_REPORTED = 20;

class Resolver {
  readonly #gazetteer: Gazetteer;
  /** By country, region and city. */
  readonly #matches = new Map<string, Map<string, Map<string, MatchedTexts>>>();
  readonly #levels: Record<ResolutionLevel, number> = { city: 0, region: 0, country: 0, none: 0 };
  unresolved = 0;

  constructor(gazetteer: Gazetteer) {
    this.#gazetteer = gazetteer;
  }

  resolve(claim: Claim, weight: number): Claim {
    const { country } = claim;
    const resolved = country === undefined ? claim : this.#resolve(claim, country, weight);
    const { cityId, regionName, cityName } = resolved;
    this.#levels[levelOf(resolved)] += weight;
    if (regionName !== undefined || (cityId === undefined && cityName !== undefined)) this.unresolved++;
    return resolved;
  }

  report(): ResolutionReport {
    const matches = this.#allMatches();
    const { city, region, country, none } = this.#levels;
    return {
      total: city + region + country + none,
      levels: { ...this.#levels },
      unresolvedRegions: mostFrequent(
        matches.map(({ claim, regionMisses }) => ({
          country: claim.country!,
          name: claim.regionName ?? '',
          count: regionMisses,
        })),
      ),
      unresolvedCities: mostFrequent(
        matches.map(({ claim, place, cityMisses }) => ({
          country: claim.country!,
          ...present({ region: place.region ?? claim.regionName }),
          name: claim.cityName ?? '',
          count: cityMisses,
        })),
      ),
    };
  }

  #resolve(claim: Claim, country: string, weight: number): Claim {
    const { regionName, cityName } = claim;
    if (regionName === undefined && (cityName === undefined || claim.cityId !== undefined)) {
      const place = claim.cityId === undefined ? undefined : this.#gazetteer.placeOf(claim.cityId);
      const stated = claim.region === undefined ? undefined : this.#gazetteer.topRegionOf(claim.region);
      const region = ownRegionOf(place, claim) ?? stated;
      return changed(claim, { region, timeZone: claim.timeZone ?? place?.timeZone });
    }
    const match = this.#matchOf(claim, country);
    const { place } = match;
    const city =
      claim.cityId === undefined ? chooseCity(place, claim) : this.#gazetteer.placeOf(claim.cityId);
    const stated = claim.region === undefined ? regionOf(place, city) : place.region;
    const region = ownRegionOf(city, claim) ?? stated;
    const isCityText = cityName !== undefined && city === undefined && !place.isCityRegion;
    const isRegionText = region === undefined && regionName !== undefined && place.isRegionUnknown;
    if (isRegionText) match.regionMisses += weight;
    if (isCityText) match.cityMisses += weight;
    return changed(claim, {
      region,
      regionName: isRegionText ? regionName : undefined,
      cityId: claim.cityId ?? city?.id,
      cityName: isCityText ? cityName : undefined,
      timeZone: claim.timeZone ?? city?.timeZone,
    });
  }

  /** Looks the match up level by level with the claim's own strings; a joined key would be hashed anew each time. */
  #matchOf(claim: Claim, country: string): MatchedTexts {
    const { region, regionName, cityName } = claim;
    const area =
      region === undefined || regionName === undefined
        ? (region ?? regionName ?? '')
        : `${region} ${regionName}`;
    const areas = entryOf(this.#matches, country, () => new Map<string, Map<string, MatchedTexts>>());
    const cities = entryOf(areas, area, () => new Map<string, MatchedTexts>());
    return entryOf(cities, cityName ?? '', () => {
      const place = this.#gazetteer.matchTexts({ country, region, regionName, cityName });
      return { claim, place, regionMisses: 0, cityMisses: 0 };
    });
  }

  #allMatches(): MatchedTexts[] {
    const cities = [...this.#matches.values()].flatMap((areas) => [...areas.values()]);
    return cities.flatMap((matches) => [...matches.values()]);
  }
}

/**
 * Returns the region of the claim's city, which replaces a region that the claim states: publishers use old borders and
 * the region around a city that is a region itself. Returns undefined if it is unknown or in another country, and for
 * overrides, which are taken literally.
 */
function ownRegionOf(city: Place | undefined, claim: Claim): string | undefined {
  const { country, region, basis, lastLevel } = claim;
  if (city === undefined || city.country !== country || lastLevel === 'country') return undefined;
  return basis === 'override' && region !== undefined ? undefined : city.region;
}

function levelOf({ country, region, cityId }: Claim): ResolutionLevel {
  if (country === undefined) return 'none';
  if (cityId !== undefined) return 'city';
  return region === undefined ? 'country' : 'region';
}

/** Returns the claim with the given fields replaced; the same object if nothing changes. */
function changed(claim: Claim, fields: { readonly [field in keyof Claim]: Claim[field] | undefined }): Claim {
  for (const field in fields) {
    if (fields[field as keyof Claim] !== claim[field as keyof Claim]) return present({ ...claim, ...fields });
  }
  return claim;
}

/** Returns the most frequent names. Counts of the same text in the same country and region are added. */
function mostFrequent(names: readonly UnresolvedName[]): UnresolvedName[] {
  const counts = new Map<string, UnresolvedName>();
  for (const name of names) {
    if (name.count === 0) continue;
    const key = `${name.country}\0${name.region ?? ''}\0${name.name}`;
    counts.set(key, { ...name, count: name.count + (counts.get(key)?.count ?? 0) });
  }
  return [...counts.values()]
    .sort((a, b) => b.count - a.count || (`${a.country} ${a.name}` < `${b.country} ${b.name}` ? -1 : 1))
    .slice(0, NAMES_REPORTED);
}

function entryOf<V>(entries: Map<string, V>, key: string, make: () => V): V {
  let held = entries.get(key);
  if (held === undefined) entries.set(key, (held = make()));
  return held;
}
