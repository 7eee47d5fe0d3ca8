import { TupleMemo } from '../table/tuple-memo.js';
import { ABSENT } from '../table/zip.js';
import { hitOf, type HitSource, type HitTable } from './hit-table.js';
import type { ListedNames } from './listed-names.js';
import type { OriginClasses } from './origin-classes.js';
import type { Hit } from './service.js';
import type { Texts } from './texts.js';

/** Whom hits name. Each kind is named by the first hit, in the order of the lists, that names one by itself. */
export type NamesOf = (hits: readonly Hit[]) => ListedNames;

/** Whom lists name for combinations of claims, as rows of numbers of texts; ABSENT where nobody is. */
export class NamedHits {
  readonly #hits: HitTable;
  readonly #classes: OriginClasses;
  readonly #namesOf: NamesOf;
  readonly #texts: Texts;
  readonly #rows = new TupleMemo(WIDTH);
  readonly #row = new Int32Array(WIDTH);
  /** By combination: its row where what is said of the AS names nobody. */
  readonly #ofNetworks: Int32Array;
  /** Rows of combinations in classes of origins of which lists name somebody. */
  readonly #withAs = new TupleMemo(2);
  readonly #pair = new Int32Array(2);

  /** The sources of `hits` stand in the order of their ids. */
  constructor(hits: HitTable, classes: OriginClasses, namesOf: NamesOf, texts: Texts) {
    this.#hits = hits;
    this.#classes = classes;
    this.#namesOf = namesOf;
    this.#texts = texts;
    // Row 0 names nobody.
    this.#rows.number(this.#row.fill(ABSENT));
    this.#ofNetworks = this.#nameNetworks();
  }

  /** The row of a combination, which may be ABSENT, where an origin of this class announces it. */
  rowOf(combination: number, classNumber: number): number {
    if (!this.#classes.namesSomebody(classNumber)) {
      return combination === ABSENT ? NOBODY : this.#ofNetworks[combination]!;
    }
    this.#pair[0] = combination;
    this.#pair[1] = classNumber;
    return this.#withAs.resolve(this.#pair, this.#nameWithAs);
  }

  ispOf(row: number): number {
    return this.#rows.at(row, ISP);
  }

  domainOf(row: number): number {
    return this.#rows.at(row, DOMAIN);
  }

  carrierOf(row: number): number {
    return this.#rows.at(row, CARRIER);
  }

  /** Rows of all combinations, from what each claim names by itself. */
  #nameNetworks(): Int32Array {
    const columns = this.#hits.sources.map((source) => this.#nameClaims(source));
    const row = this.#row;
    const add = (source: number, claim: number): void => {
      const named = columns[source]!;
      for (let kind = 0; kind < WIDTH; kind++) {
        if (row[kind] === ABSENT) row[kind] = named[WIDTH * claim + kind]!;
      }
    };
    const rows = new Int32Array(this.#hits.combinations);
    for (let combination = 0; combination < rows.length; combination++) {
      row.fill(ABSENT);
      this.#hits.forEach(combination, add);
      rows[combination] = this.#rows.number(row);
    }
    return rows;
  }

  #nameClaims(source: HitSource): Int32Array {
    const named = new Int32Array(WIDTH * source.claims.length);
    source.claims.forEach((claim, i) => {
      this.#put(this.#namesOf([hitOf(source, claim)]));
      named.set(this.#row, WIDTH * i);
    });
    return named;
  }

  /** Names the pair at hand. */
  readonly #nameWithAs = (): number => {
    const [combination, classNumber] = this.#pair;
    this.#put(this.#namesOf([...this.#hits.hitsOf(combination!), ...this.#classes.hitsOf(classNumber!)]));
    return this.#rows.number(this.#row);
  };

  #put({ isp, domain, carrier }: ListedNames): void {
    this.#row[ISP] = this.#texts.numberOf(isp);
    this.#row[DOMAIN] = this.#texts.numberOf(domain);
    this.#row[CARRIER] = this.#texts.numberOf(carrier);
  }
}

const ISP = 0;
const DOMAIN = 1;
const CARRIER = 2;
const WIDTH = 3;

/** Row of the combination that names nobody. */
const NOBODY = 0;
