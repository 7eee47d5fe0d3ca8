import { ListClaimTable, type ListClaim } from '../lists/list-claim.js';
import { TupleMemo } from '../table/tuple-memo.js';
import { ABSENT } from '../table/zip.js';
import type { HitTable } from './hit-table.js';

/** Combinations of claims that differ in nothing that decisions look at, as one case each. */
export class HitCases {
  /** By combination. */
  readonly #cases: Int32Array;
  /** A combination of each case. */
  readonly #samples: number[] = [];

  /** `relevant` tells what of a claim decisions look at. */
  constructor(hits: HitTable, relevant: (claim: ListClaim) => ListClaim) {
    const meanings = hits.sources.map(({ claims }) => {
      const distinct = new ListClaimTable();
      return Int32Array.from(claims, (claim) => distinct.intern(relevant(claim)));
    });
    const tuple = new Int32Array(meanings.length);
    const cases = new TupleMemo(meanings.length);
    const put = (source: number, claim: number): void => {
      tuple[source] = meanings[source]![claim]!;
    };
    this.#cases = new Int32Array(hits.combinations);
    for (let combination = 0; combination < hits.combinations; combination++) {
      tuple.fill(ABSENT);
      hits.forEach(combination, put);
      const number = cases.number(tuple);
      if (number === this.#samples.length) this.#samples.push(combination);
      this.#cases[combination] = number;
    }
  }

  /** The case of a combination; ABSENT for ABSENT. */
  caseOf(combination: number): number {
    return combination === ABSENT ? ABSENT : this.#cases[combination]!;
  }

  /** One of the combinations of a case, as good as any; ABSENT for ABSENT. */
  sampleOf(number: number): number {
    return number === ABSENT ? ABSENT : this.#samples[number]!;
  }
}
