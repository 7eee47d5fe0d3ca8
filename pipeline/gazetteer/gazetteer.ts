import { chooseCity, regionOf } from './choose-city.js';
import type { Point } from './distance.js';
import { PlaceReader, type PlaceReading, type PlaceTexts } from './match-place.js';
import { NameIndex } from './name-index.js';
import type { ContinentNames, GazetteerContent, Place, Region } from './place.js';
import { foldName } from './place-name.js';
import { RegionNames } from './region-names.js';

export type { ContinentNames, GazetteerContent, Place, PlaceNames, Region } from './place.js';
export type { PlaceReading, PlaceTexts } from './match-place.js';

/** What a text was found to mean. */
export interface PlaceMatch {
  /** ISO 3166-2. */
  readonly region: string | undefined;
  readonly city: Place | undefined;
}

/** Places by id, code and name. Immutable. */
export class Gazetteer {
  readonly content: GazetteerContent;
  readonly #places = new Map<number, Place>();
  readonly #countries = new Map<string, Place>();
  readonly #continents = new Map<string, ContinentNames>();
  readonly #regions = new Map<string, Region>();
  readonly #regionNames: RegionNames;
  readonly #reader: PlaceReader;

  constructor(content: GazetteerContent) {
    this.content = content;
    for (const continent of content.continents) this.#continents.set(continent.code, continent);
    for (const region of content.regions) this.#regions.set(region.code, region);
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
    this.#reader = new PlaceReader({
      cities: new NameIndex(cities),
      regions: this.#regionNames,
      regionsInUse,
      countryNames,
    });
  }

  /** The place with a GeoNames id. */
  placeOf(id: number): Place | undefined {
    return this.#places.get(id);
  }

  /** The country with an ISO 3166-1 alpha-2 code. */
  countryOf(code: string): Place | undefined {
    return this.#countries.get(code);
  }

  /** The region with an ISO 3166-2 code. */
  regionOf(code: string): Region | undefined {
    return this.#regions.get(code);
  }

  /** The continent with a two-letter code. */
  continentOf(code: string): ContinentNames | undefined {
    return this.#continents.get(code);
  }

  /** The first-level region that an ISO 3166-2 code names or lies in (FR-13 in FR-PAC). */
  topRegionOf(code: string): string {
    return this.#regionNames.topOf(code);
  }

  /**
   * The region and city that a feed's texts mean, within the country: whatever language and spelling, of namesakes the
   * one in the region, near the coordinates (a city over 100 km away is none), with most inhabitants.
   */
  matchPlace(query: PlaceTexts & Point): PlaceMatch {
    const reading = this.readPlace(query);
    const city = chooseCity(reading, query);
    return { region: regionOf(reading, city), city };
  }

  /** The part of `matchPlace` that depends on texts alone, for many points with the same ones: see `chooseCity`. */
  readPlace(texts: PlaceTexts): PlaceReading {
    return this.#reader.read(texts);
  }

  /**
   * The city of a country, or of a region of it (ISO 3166-2), with a name in English, Chinese or any other spelling;
   * absent when there is none and when namesakes cannot be told apart. Cities outside of any region count in each.
   */
  findCity(name: string, country: string, region?: string): Place | undefined {
    return this.matchPlace({ country, region, cityName: name }).city;
  }

  /**
   * The ISO 3166-2 code of a first-level region that a feed writes as its code or that of a part of it, as the code
   * without the country (`CA` in US), or as a name in any language and spelling. A full code is taken as it is when it
   * belongs to the country, known or not. Absent for all else, and for HK and MO, which have no regions.
   */
  parseRegion(text: string, country: string): string | undefined {
    return this.#regionNames.parse(text, country);
  }
}
