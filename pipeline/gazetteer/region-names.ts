import { NameIndex } from './name-index.js';
import type { Region } from './place.js';
import { foldName, readingsOf } from './place-name.js';
import { stemOf, subdivisions } from './subdivision-names.js';

/** What texts for regions mean. Immutable but for what it has worked out already. */
export class RegionNames {
  readonly #regions: ReadonlyMap<string, Region>;
  /** Regions that cities lie in: of namesakes they are meant. */
  readonly #inUse: ReadonlySet<string>;
  readonly #byName: NameIndex<Region>;
  readonly #parents = new Map<string, string>();
  /** Names of second-level subdivisions, as names of the region they lie in. */
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

  /** The first-level region that a code names or lies in; a code that is not known stays what it is. */
  topOf(code: string): string {
    return this.#inUse.has(code) ? code : (this.#parents.get(code) ?? code);
  }

  /** See `Gazetteer.parseRegion`. */
  parse(text: string, country: string): string | undefined {
    const trimmed = text.trim();
    if (trimmed === '' || country === 'HK' || country === 'MO') return undefined;
    const code = trimmed.toUpperCase();
    const full = /^([A-Z]{2})-([A-Z0-9]{1,3})$/.exec(code);
    if (full !== null) {
      const prefix = full[1] === 'UK' ? 'GB' : full[1];
      return prefix === country ? this.topOf(`${country}-${full[2]!}`) : undefined;
    }
    const bare = this.#regions.get(`${country}-${code}`);
    return bare?.code ?? this.#parseName(trimmed, country);
  }

  /** Whole names before names without the words for a kind of region, those before names of parts. */
  #parseName(text: string, country: string): string | undefined {
    for (const reading of readingsOf(text)) {
      const folded = foldName(reading);
      const found =
        this.#oneOf(this.#byName, country, folded) ??
        this.#oneOf(this.#byName, country, stemOf(reading)) ??
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
