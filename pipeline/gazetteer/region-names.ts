import { hasRegions } from '../input/names/iso3166.js';
import { currentRegionCode } from '../input/names/iso3166-2.js';
import { NameIndex } from './name-index.js';
import type { Region } from './place.js';
import { candidateNamesOf, foldName } from './place-name.js';
import { stemOf, subdivisions } from './subdivision-names.js';

/** Finds regions by code and name. */
export class RegionNames {
  readonly #regions: ReadonlyMap<string, Region>;
  /** Regions with cities; they are preferred among namesakes. */
  readonly #inUse: ReadonlySet<string>;
  readonly #byName: NameIndex<Region>;
  readonly #parents = new Map<string, string>();
  /** Names of second-level subdivisions, as names of their first-level region. */
  readonly #byPart: NameIndex<Region>;

  constructor(regions: ReadonlyMap<string, Region>, inUse: ReadonlySet<string>) {
    this.#regions = regions;
    this.#inUse = inUse;
    this.#byName = new NameIndex(regions.values());
    const parts: Region[] = [];
    for (const { code, name, parent } of subdivisions()) {
      const top = parent === undefined ? undefined : regions.get(parent);
      if (top === undefined) continue;
      this.#parents.set(code, top.code);
      parts.push({ ...top, names: { en: name }, alternates: [stemOf(name)] });
    }
    this.#byPart = new NameIndex(parts);
  }

  /** Returns the first-level region of a code, or of its successor if it was withdrawn; undefined for other codes. */
  topOf(code: string): string | undefined {
    const current = currentRegionCode(code);
    if (current === undefined || this.#inUse.has(current)) return current;
    return this.#parents.get(current) ?? current;
  }

  /** See `Gazetteer.parseRegion`. */
  parse(text: string, country: string): string | undefined {
    const trimmed = text.trim();
    if (trimmed === '' || !hasRegions(country)) return undefined;
    const code = trimmed.toUpperCase();
    const full = /^([A-Z]{2})-([A-Z0-9]{1,3})$/.exec(code);
    if (full !== null) {
      const prefix = full[1] === 'UK' ? 'GB' : full[1];
      return prefix === country ? this.topOf(`${country}-${full[2]!}`) : undefined;
    }
    const bare = this.#regions.get(currentRegionCode(`${country}-${code}`) ?? '');
    return bare?.code ?? this.#parseName(trimmed, country);
  }

  /** Tries whole names first, then names without words such as "oblast", then names of parts. */
  #parseName(text: string, country: string): string | undefined {
    for (const candidate of candidateNamesOf(text)) {
      const folded = foldName(candidate);
      const found =
        this.#oneOf(this.#byName, country, folded) ??
        this.#oneOf(this.#byName, country, stemOf(candidate)) ??
        this.#oneOf(this.#byPart, country, folded);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #oneOf(index: NameIndex<Region>, country: string, folded: string): string | undefined {
    const { shown, others } = index.find(country, folded);
    return this.#only(shown) ?? this.#only(others);
  }

  #only(found: readonly Region[]): string | undefined {
    const codes = new Set(found.map(({ code }) => code));
    if (codes.size <= 1) return found[0]?.code;
    const inUse = [...codes].filter((code) => this.#inUse.has(code));
    return inUse.length === 1 ? inUse[0] : undefined;
  }
}
