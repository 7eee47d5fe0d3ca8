import type { Claim } from '../feeds/claim.js';
import type { Gazetteer } from '../gazetteer/gazetteer.js';
import { chooseCity, regionOf } from '../gazetteer/choose-city.js';
import type { PlaceReading } from '../gazetteer/match-place.js';
import { present } from './present.js';

/** Claims with ids for names where the gazetteer knows the place, and what became of the names. */
export interface ResolvedClaims {
  readonly claims: readonly Claim[];
  /** Claims whose region or city stays a text. */
  readonly unresolved: number;
  readonly report: ResolutionReport;
}

/** How far claims were resolved. Every count is a sum of weights. */
export interface ResolutionReport {
  readonly total: number;
  /** By the finest level with an id; `none` for claims without a country. */
  readonly levels: Readonly<Record<ResolutionLevel, number>>;
  /** The texts that meant no place, the most frequent first. */
  readonly unresolvedRegions: readonly UnresolvedName[];
  readonly unresolvedCities: readonly UnresolvedName[];
}
export type ResolutionLevel = 'city' | 'region' | 'country' | 'none';

/** A feed's text that no place was found for. */
export interface UnresolvedName {
  readonly country: string;
  /** The region that a city was looked for in: its code, else the feed's text. */
  readonly region?: string;
  readonly name: string;
  readonly count: number;
}

/**
 * Gives places their ids: region text becomes an ISO 3166-2 code, city text a GeoNames id, both within the country and
 * near the claim's coordinates; a code of a second-level region becomes that of the first level. What stays unresolved
 * keeps its text. Works on distinct claims, so the rows behind them cost nothing; `weights` tells how many networks
 * claim `i` stands for (1 each where it is left out), for the report.
 */
export function resolveClaims(
  claims: readonly Claim[],
  gazetteer: Gazetteer,
  weights?: ArrayLike<number>,
): ResolvedClaims {
  const resolver = new Resolver(gazetteer);
  const resolved = claims.map((claim, index) => resolver.resolve(claim, weights?.[index] ?? 1));
  return { claims: resolved, unresolved: resolver.unresolved, report: resolver.report() };
}

/** What one combination of texts means, and how often it meant nothing. */
interface Reading {
  readonly claim: Claim;
  readonly place: PlaceReading;
  regionMisses: number;
  cityMisses: number;
}

const NAMES_REPORTED = 20;

class Resolver {
  readonly #gazetteer: Gazetteer;
  /** By country, region and city. */
  readonly #readings = new Map<string, Map<string, Map<string, Reading>>>();
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
    const readings = this.#allReadings();
    const { city, region, country, none } = this.#levels;
    return {
      total: city + region + country + none,
      levels: { ...this.#levels },
      unresolvedRegions: mostFrequent(
        readings.map(({ claim, regionMisses }) => ({
          country: claim.country!,
          name: claim.regionName ?? '',
          count: regionMisses,
        })),
      ),
      unresolvedCities: mostFrequent(
        readings.map(({ claim, place, cityMisses }) => ({
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
      const region = claim.region === undefined ? place?.region : this.#gazetteer.topRegionOf(claim.region);
      return changed(claim, { region, timeZone: claim.timeZone ?? place?.timeZone });
    }
    const reading = this.#readingOf(claim, country);
    const city =
      claim.cityId === undefined ? chooseCity(reading.place, claim) : this.#gazetteer.placeOf(claim.cityId);
    const region = claim.region === undefined ? regionOf(reading.place, city) : reading.place.region;
    const isCityText = cityName !== undefined && city === undefined && !reading.place.isCityRegion;
    const isRegionText = region === undefined && regionName !== undefined && reading.place.isRegionUnknown;
    if (isRegionText) reading.regionMisses += weight;
    if (isCityText) reading.cityMisses += weight;
    return changed(claim, {
      region,
      regionName: isRegionText ? regionName : undefined,
      cityId: claim.cityId ?? city?.id,
      cityName: isCityText ? cityName : undefined,
      timeZone: claim.timeZone ?? city?.timeZone,
    });
  }

  /** Looked up by the claim's own strings, level by level: a joined key would have to be hashed anew each time. */
  #readingOf(claim: Claim, country: string): Reading {
    const { region, regionName, cityName } = claim;
    const area =
      region === undefined || regionName === undefined
        ? (region ?? regionName ?? '')
        : `${region} ${regionName}`;
    const areas = entryOf(this.#readings, country, () => new Map<string, Map<string, Reading>>());
    const cities = entryOf(areas, area, () => new Map<string, Reading>());
    return entryOf(cities, cityName ?? '', () => {
      const place = this.#gazetteer.readPlace({ country, region, regionName, cityName });
      return { claim, place, regionMisses: 0, cityMisses: 0 };
    });
  }

  #allReadings(): Reading[] {
    const cities = [...this.#readings.values()].flatMap((areas) => [...areas.values()]);
    return cities.flatMap((readings) => [...readings.values()]);
  }
}

function levelOf({ country, region, cityId }: Claim): ResolutionLevel {
  if (country === undefined) return 'none';
  if (cityId !== undefined) return 'city';
  return region === undefined ? 'country' : 'region';
}

/** The same claim with other fields, or itself when they are the same. */
function changed(claim: Claim, fields: { readonly [field in keyof Claim]: Claim[field] | undefined }): Claim {
  for (const field in fields) {
    if (fields[field as keyof Claim] !== claim[field as keyof Claim]) return present({ ...claim, ...fields });
  }
  return claim;
}

/** The same text in one country and region counts once. */
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
