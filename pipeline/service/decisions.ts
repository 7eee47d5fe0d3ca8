import { TupleMemo } from '../table/tuple-memo.js';
import type { HitTable } from './hit-table.js';
import type { IspRows } from './isp-rows.js';
import type { OriginClasses } from './origin-classes.js';
import type { Hit, ServiceVerdict, Surroundings } from './service.js';

/** What hits come to; a pure function. */
export type Decide = (hits: readonly Hit[], surroundings: Surroundings) => ServiceVerdict;

/** One decision per distinct pair of a combination of claims and a class of origins; what it comes to, in columns. */
export class Decisions {
  readonly #hits: HitTable;
  readonly #classes: OriginClasses;
  readonly #decide: Decide;
  readonly #rows: IspRows;
  readonly #pairs = new TupleMemo(2);
  readonly #pair = new Int32Array(2);
  /** By number of the decision; texts by their numbers in the rows. */
  readonly #verdicts: number[] = [];
  readonly #isps: number[] = [];
  readonly #domains: number[] = [];
  readonly #carriers: number[] = [];
  readonly #deciders: (string | undefined)[] = [];
  readonly #dropped = new Map<number, ReadonlySet<string>>();

  constructor(hits: HitTable, classes: OriginClasses, decide: Decide, rows: IspRows) {
    this.#hits = hits;
    this.#classes = classes;
    this.#decide = decide;
    this.#rows = rows;
  }

  get count(): number {
    return this.#verdicts.length;
  }

  /** The number of the decision about addresses with this combination of claims and this origin; either may be ABSENT. */
  numberOf(combination: number, origin: number): number {
    const classNumber = this.#classes.classOf(origin);
    this.#pair[0] = combination;
    this.#pair[1] = classNumber;
    const number = this.#pairs.number(this.#pair);
    if (number === this.#verdicts.length) this.#add(this.hitsOf(number), classNumber);
    return number;
  }

  /** The verdict's row. */
  verdictOf(decision: number): number {
    return this.#verdicts[decision]!;
  }

  /** ISP, domain and carrier that lists name: the numbers of these texts. */
  ispOf(decision: number): number {
    return this.#isps[decision]!;
  }

  domainOf(decision: number): number {
    return this.#domains[decision]!;
  }

  carrierOf(decision: number): number {
    return this.#carriers[decision]!;
  }

  /** The list whose type won; absent where no hit names a type. */
  deciderOf(decision: number): string | undefined {
    return this.#deciders[decision];
  }

  /** Hits that did not count, `<list> <why>`, each once. */
  droppedOf(decision: number): ReadonlySet<string> {
    return this.#dropped.get(decision) ?? NOTHING;
  }

  /** What the decision is made from: words on the network, then words on its AS. */
  hitsOf(decision: number): readonly Hit[] {
    const ofNetwork = this.#hits.hitsOf(this.#pairs.at(decision, 0));
    const ofAs = this.#classes.hitsOf(this.#pairs.at(decision, 1));
    return ofAs.length > 0 ? [...ofNetwork, ...ofAs] : ofNetwork;
  }

  /** Calls `visit` with each list that says something of the network or its AS, once. */
  forEachList(decision: number, visit: (list: string) => void): void {
    const ofAs = this.#classes.hitsOf(this.#pairs.at(decision, 1));
    if (ofAs.length > 0)
      for (const list of new Set(this.hitsOf(decision).map(({ list }) => list))) visit(list);
    else
      this.#hits.forEach(this.#pairs.at(decision, 0), ({ id }) => {
        visit(id);
      });
  }

  #add(hits: readonly Hit[], classNumber: number): void {
    const verdict = this.#decide(hits, this.#classes.surroundingsOf(classNumber));
    const { texts } = this.#rows;
    if (verdict.dropped.length > 0) this.#dropped.set(this.#verdicts.length, new Set(verdict.dropped));
    this.#verdicts.push(this.#rows.internVerdict(verdict));
    this.#isps.push(texts.numberOf(verdict.isp));
    this.#domains.push(texts.numberOf(verdict.domain));
    this.#carriers.push(texts.numberOf(verdict.carrier));
    this.#deciders.push(verdict.decidedBy);
  }
}

const NOTHING: ReadonlySet<string> = new Set();
