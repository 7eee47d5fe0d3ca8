import { chooseCity, regionOf } from './choose-city.js';
import type { Point } from './distance.js';
import { TextMatcher, type TextMatch, type PlaceTexts } from './match-place.js';
import { NameIndex } from './name-index.js';
import type { Area, ContinentNames, GazetteerContent, Place, Region } from './place.js';
import { foldName } from './place-name.js';
import { RegionNames } from './region-names.js';

export type { Area, ContinentNames, GazetteerContent, Place, PlaceNames, Region } from './place.js';
export type { TextMatch, PlaceTexts } from './match-place.js';

/** The region and city that match a feed's texts. */
export interface PlaceMatch {
  /** ISO 3166-2. */
  readonly region: string | undefined;
  readonly city: Place | undefined;
}

/** Finds places by id, code and name. Immutable. */
export class Gazetteer {
  readonly content: GazetteerContent;
  readonly #places = new Map<number, Place>();
  readonly #countries = new Map<string, Place>();
  readonly #continents = new Map<string, ContinentNames>();
  readonly #regions = new Map<string, Region>();
  readonly #areas = new Map<string, Area>();
  readonly #regionNames: RegionNames;
  readonly #matcher: TextMatcher;

  constructor(content: GazetteerContent) {
    this.content = content;
    for (const continent of content.continents) this.#continents.set(continent.code, continent);
    for (const region of content.regions) this.#regions.set(region.code, region);
    for (const area of content.areas ?? []) this.#areas.set(area.code, area);
    const cities: Place[] = [];
    const regionsInUse = new Set<string>();
    const countryNames = new Map<string, ReadonlySet<string>>();
    for (const place of content.places) {
      this.#places.set(place.id, place);
      if (place.kind === 'country') {
        this.#countries.set(place.country, place);
        countryNames.set(place.country, new Set(Object.values(place.names).map(foldName)));
      }
      if (place.kind !== 'city') continue;
      cities.push(place);
      if (place.region !== undefined) regionsInUse.add(place.region);
    }
    this.#regionNames = new RegionNames(this.#regions, regionsInUse);
    this.#matcher = new TextMatcher({
      cities: new NameIndex(cities),
      regions: this.#regionNames,
      regionsInUse,
      countryNames,
    });
  }

  /** Returns the place with a GeoNames id. */
  placeOf(id: number): Place | undefined {
    return this.#places.get(id);
  }

  /** Returns the country with an ISO 3166-1 alpha-2 code. */
  countryOf(code: string): Place | undefined {
    return this.#countries.get(code);
  }

  /** Returns the region with an ISO 3166-2 code. */
  regionOf(code: string): Region | undefined {
    return this.#regions.get(code);
  }

  /** Returns the area of a country (ISO 3166-1) or region (ISO 3166-2). */
  areaOf(code: string): Area | undefined {
    return this.#areas.get(code);
  }

  /** Returns the continent with a two-letter code. */
  continentOf(code: string): ContinentNames | undefined {
    return this.#continents.get(code);
  }

  /**
   * Returns the first-level region of an ISO 3166-2 code (FR-PAC for FR-13), or of its successor if it was withdrawn.
   * Returns undefined for a code that ISO does not list.
   */
  topRegionOf(code: string): string | undefined {
    return this.#regionNames.topOf(code);
  }

  /**
   * Matches a feed's texts with a region and a city of the country, in any language and spelling. Of namesakes it
   * chooses the city in the region, near the coordinates (at most 100 km away), with most inhabitants.
   */
  matchPlace(query: PlaceTexts & Point): PlaceMatch {
    const match = this.matchTexts(query);
    const city = chooseCity(match, query);
    return { region: regionOf(match, city), city };
  }

  /** Does the part of `matchPlace` that depends only on texts, for reuse with different points; see `chooseCity`. */
  matchTexts(texts: PlaceTexts): TextMatch {
    return this.#matcher.match(texts);
  }

  /**
   * Returns the city of a country, or of a region of it (ISO 3166-2), with this name in English, Chinese or any other
   * spelling. Returns undefined if there is none or several are equal. Cities without a region count in every region.
   */
  findCity(name: string, country: string, region?: string): Place | undefined {
    return this.matchPlace({ country, region, cityName: name }).city;
  }

  /**
   * Returns the ISO 3166-2 code of a first-level region from its code, the code of a part of it, the code without the
   * country (`CA` in US), or a name in any language and spelling. Returns undefined for
   * other texts, and for countries without regions (`hasRegions`).
   */
  parseRegion(text: string, country: string): string | undefined {
    return this.#regionNames.parse(text, country);
  }
}
