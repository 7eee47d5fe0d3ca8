import type { PlaceNames } from './place.js';
import { foldName, shortFormOf, spellingsOf } from './place-name.js';

/** A region or place that can be found by name. */
export interface Named {
  readonly country: string;
  readonly names: PlaceNames;
  /** Folded names besides the display names. */
  readonly alternates?: readonly string[] | undefined;
}

/** Entries with the same folded name: as a display name, and as another name. */
export interface Namesakes<T> {
  readonly shown: readonly T[];
  readonly others: readonly T[];
}

/** Entries by country and folded name. Names of a country are folded on first use. */
export class NameIndex<T extends Named> {
  readonly #byCountry = new Map<string, T[]>();
  readonly #indexes = new Map<string, CountryIndex<T>>();

  constructor(all: Iterable<T>) {
    for (const named of all) {
      const held = this.#byCountry.get(named.country);
      if (held === undefined) this.#byCountry.set(named.country, [named]);
      else held.push(named);
    }
  }

  /** Returns all entries of a country. */
  of(country: string): readonly T[] {
    return this.#byCountry.get(country) ?? [];
  }

  /** Returns the entries of a country with this folded name. */
  find(country: string, folded: string): Namesakes<T> {
    let index = this.#indexes.get(country);
    if (index === undefined) this.#indexes.set(country, (index = indexOf(this.of(country))));
    return { shown: index.shown.get(folded) ?? [], others: index.others.get(folded) ?? [] };
  }
}

interface CountryIndex<T> {
  readonly shown: ReadonlyMap<string, T[]>;
  readonly others: ReadonlyMap<string, T[]>;
}

function indexOf<T extends Named>(all: readonly T[]): CountryIndex<T> {
  const shown = new Map<string, T[]>();
  const others = new Map<string, T[]>();
  for (const named of all) {
    const { en, 'zh-CN': zh } = named.names;
    const folded = en === undefined ? undefined : foldName(en);
    if (folded !== undefined) add(shown, folded, named);
    const foldedZh = zh === undefined ? undefined : foldName(zh);
    if (foldedZh !== undefined && foldedZh !== folded) add(shown, foldedZh, named);
    for (const name of named.alternates ?? []) add(others, name, named);
    if (en === undefined) continue;
    for (const name of [...spellingsOf(en), shortFormOf(en)]) {
      if (name !== undefined && named.alternates?.includes(name) !== true) add(others, name, named);
    }
  }
  return { shown, others };
}

function add<T>(index: Map<string, T[]>, folded: string, named: T): void {
  if (folded === '') return;
  const held = index.get(folded);
  if (held === undefined) index.set(folded, [named]);
  else held.push(named);
}
