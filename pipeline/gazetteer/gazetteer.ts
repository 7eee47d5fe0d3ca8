import type { ContinentNames, GazetteerContent, Place, PlaceNames, Region } from './place.js';
import { foldName } from './place-name.js';

export type { ContinentNames, GazetteerContent, Place, PlaceNames, Region } from './place.js';

/** Places by id, code and name. Immutable. */
export class Gazetteer {
  readonly content: GazetteerContent;
  readonly #places = new Map<number, Place>();
  readonly #countries = new Map<string, Place>();
  readonly #continents = new Map<string, ContinentNames>();
  readonly #regions = new Map<string, Region>();
  readonly #citiesByName = new NameIndex<Place>();
  readonly #regionsByName = new NameIndex<Region>();

  constructor(content: GazetteerContent) {
    this.content = content;
    for (const continent of content.continents) this.#continents.set(continent.code, continent);
    for (const region of content.regions) {
      this.#regions.set(region.code, region);
      this.#regionsByName.add(region.country, region);
    }
    for (const place of content.places) {
      this.#places.set(place.id, place);
      if (place.kind === 'country') this.#countries.set(place.country, place);
      if (place.kind === 'city') this.#citiesByName.add(place.country, place);
    }
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

  /**
   * The one city of a country, or of a region of it (ISO 3166-2), with an English or Chinese name; absent when there
   * is none or when several share the name. Cities outside of any region count in each.
   */
  findCity(name: string, country: string, region?: string): Place | undefined {
    return this.#citiesByName.findOne(
      country,
      name,
      (city) => region === undefined || city.region === undefined || city.region === region,
    );
  }

  /**
   * The ISO 3166-2 code of a region that a feed writes as the code, as the code without the country (`CA` in US), or
   * as an English or Chinese name. A full code is taken as it is when it belongs to the country, known or not.
   * Absent for all else, and for HK and MO, which have no regions.
   */
  parseRegion(text: string, country: string): string | undefined {
    const trimmed = text.trim();
    if (trimmed === '' || country === 'HK' || country === 'MO') return undefined;
    const code = trimmed.toUpperCase();
    const full = /^([A-Z]{2})-([A-Z0-9]{1,3})$/.exec(code);
    if (full !== null) {
      const prefix = full[1] === 'UK' ? 'GB' : full[1];
      return prefix === country ? `${country}-${full[2]!}` : undefined;
    }
    const bare = this.#regions.get(`${country}-${code}`);
    return (bare ?? this.#regionsByName.findOne(country, trimmed))?.code;
  }
}

/** Places by country and folded name. */
class NameIndex<T extends { readonly names: PlaceNames }> {
  readonly #byName = new Map<string, T[]>();

  add(country: string, named: T): void {
    const { en, 'zh-CN': zh } = named.names;
    const keys = new Set([en, zh].flatMap((name) => (name === undefined ? [] : [keyOf(country, name)])));
    for (const key of keys) {
      const namesakes = this.#byName.get(key);
      if (namesakes === undefined) this.#byName.set(key, [named]);
      else namesakes.push(named);
    }
  }

  /** The only one of that name that `fits`. */
  findOne(country: string, name: string, fits: (named: T) => boolean = () => true): T | undefined {
    const found = (this.#byName.get(keyOf(country, name)) ?? []).filter(fits);
    return found.length === 1 ? found[0] : undefined;
  }
}

function keyOf(country: string, name: string): string {
  return `${country}/${foldName(name)}`;
}
