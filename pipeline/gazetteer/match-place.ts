import { CITY_REGIONS } from './city-regions.js';
import { hasRegions } from '../input/names/iso3166.js';
import { distanceKm } from './distance.js';
import type { NameIndex } from './name-index.js';
import type { Place } from './place.js';
import { candidateNamesOf, foldName, isHan, spellingsOf } from './place-name.js';
import type { RegionNames } from './region-names.js';

/** A feed's description of a place: codes if it has them, else its texts. */
export interface PlaceTexts {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** ISO 3166-2. */
  readonly region?: string | undefined;
  readonly regionName?: string | undefined;
  readonly cityName?: string | undefined;
}

/** The match of texts without regard to coordinates: a region, and candidate cities. */
export interface TextMatch {
  /** ISO 3166-2. */
  readonly region: string | undefined;
  /** Whether the gazetteer has cities in the region. */
  readonly isRegionInUse: boolean;
  /** Whether a region was named but not found. */
  readonly isRegionUnknown: boolean;
  /** Whether the city's text names its region or country. If no city has that name, the text names no city. */
  readonly isCityRegion: boolean;
  /** Candidate cities, the more likely groups first. */
  readonly groups: readonly CityGroup[];
}

/** Cities that match a text equally well. */
export interface CityGroup {
  readonly cities: readonly Place[];
  /** If present, a city must be within this many kilometres of given coordinates. */
  readonly withinKm?: number;
}

/** Matches texts with regions and cities. */
export class TextMatcher {
  readonly #cities: NameIndex<Place>;
  readonly #citiesByRegion = new Map<string, readonly Place[]>();
  readonly #regions: RegionNames;
  readonly #regionsInUse: ReadonlySet<string>;
  readonly #countryNames: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(parts: {
    readonly cities: NameIndex<Place>;
    readonly regions: RegionNames;
    readonly regionsInUse: ReadonlySet<string>;
    /** Folded names of countries, by code. */
    readonly countryNames: ReadonlyMap<string, ReadonlySet<string>>;
  }) {
    this.#cities = parts.cities;
    this.#regions = parts.regions;
    this.#regionsInUse = parts.regionsInUse;
    this.#countryNames = parts.countryNames;
  }

  match({ country, region: code, regionName, cityName }: PlaceTexts): TextMatch {
    const named = regionName === undefined ? undefined : this.#regions.parse(regionName, country);
    const region = code === undefined ? named : this.#regions.topOf(code);
    const isRegionUnknown =
      region === undefined &&
      isText(regionName) &&
      hasRegions(country) &&
      !this.#isCountry(regionName, country);
    // The text of an unknown region is often a city (`Taipei`, `Baku`).
    const text = cityName ?? (isRegionUnknown ? regionName : undefined);
    const isRegionInUse = region !== undefined && this.#regionsInUse.has(region);
    if (!isText(text)) return { region, isRegionInUse, isRegionUnknown, isCityRegion: false, groups: [] };
    const groups = this.#groupsOf(text, country, isRegionInUse ? region : undefined);
    const whole = this.#wholeCityOf(text, country, region);
    if (whole !== undefined) groups.push(whole);
    const meant = groups.length === 0 ? this.#regions.parse(text, country) : undefined;
    return {
      region: region ?? meant,
      isRegionInUse,
      isRegionUnknown: isRegionUnknown && meant === undefined,
      isCityRegion: (meant !== undefined && (region ?? meant) === meant) || this.#isCountry(text, country),
      groups,
    };
  }

  #groupsOf(text: string, country: string, region: string | undefined): CityGroup[] {
    const groups: CityGroup[] = [];
    const elsewhere: Place[] = [];
    for (const candidate of candidateNamesOf(text)) {
      for (const folded of [foldName(candidate), ...spellingsOf(candidate)]) {
        const { shown, others } = this.#cities.find(country, folded);
        for (const namesakes of [shown, others]) {
          const [inside, outside] = divide(namesakes, region);
          if (inside.length > 0) groups.push({ cities: inside });
          elsewhere.push(...outside);
        }
      }
    }
    if (groups.length === 0) groups.push(...this.#gluedGroups(text, country, region));
    if (elsewhere.length === 0) return groups;
    // Sources disagree on the borders of regions, so a city nearby counts even in another region.
    groups.push({ cities: elsewhere, withinKm: NEIGHBOUR_KM });
    const near = region === undefined ? [] : elsewhere.filter((city) => this.#isNear(city, region));
    if (near.length > 0) groups.push({ cities: near });
    return groups;
  }

  /** Finds the city at the end of a Chinese text, after its county or region (大阪府大阪市, 库克芝加哥). */
  #gluedGroups(text: string, country: string, region: string | undefined): CityGroup[] {
    if (!isHan(text)) return [];
    const folded = foldName(text);
    for (let start = 2; start <= folded.length - 2; start++) {
      const { shown, others } = this.#cities.find(country, folded.slice(start));
      for (const namesakes of [shown, others]) {
        const cities = divide(namesakes, region)[0].filter(({ population }) => population !== undefined);
        if (cities.length > 0) return [{ cities }];
      }
    }
    return [];
  }

  /** Whether some city of the region is within BORDER_KM of this one. */
  #isNear(city: Place, region: string): boolean {
    let cities = this.#citiesByRegion.get(region);
    if (cities === undefined) {
      cities = this.#cities.of(city.country).filter((other) => other.region === region);
      this.#citiesByRegion.set(region, cities);
    }
    return cities.some((other) => (distanceKm(city, other) ?? Infinity) <= BORDER_KM);
  }

  /** Returns the whole city if the country or region consists of one city, for texts that name a part of it. */
  #wholeCityOf(text: string, country: string, region: string | undefined): CityGroup | undefined {
    const id = CITY_STATES[country] ?? (region === undefined ? undefined : CITY_REGIONS[region]);
    if (id === undefined || this.#isCountry(text, country)) return undefined;
    return { cities: this.#cities.of(country).filter((city) => city.id === id) };
  }

  #isCountry(text: string, country: string): boolean {
    return this.#countryNames.get(country)?.has(foldName(text)) === true;
  }
}

/** A city within this distance of the coordinates matches, whatever the region. */
const NEIGHBOUR_KM = 50;
/** A city within this distance of a city of the region may belong to the region in another source. */
const BORDER_KM = 75;

/** GeoNames ids of the cities that make up a country. */
const CITY_STATES: Readonly<Record<string, number>> = { HK: 1819729, MO: 1821274, SG: 1880252 };
/** Divides cities into those that may be in the region, and the others. */
function divide(cities: readonly Place[], region: string | undefined): [inside: Place[], outside: Place[]] {
  const inside: Place[] = [];
  const outside: Place[] = [];
  for (const city of cities) {
    (region === undefined || city.region === undefined || city.region === region ? inside : outside).push(
      city,
    );
  }
  return [inside, outside];
}

function isText(text: string | undefined): text is string {
  return text !== undefined && foldName(text) !== '';
}
