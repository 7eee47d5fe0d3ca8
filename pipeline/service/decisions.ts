import { TupleMemo } from '../table/tuple-memo.js';
import type { HitCases } from './hit-cases.js';
import type { HitTable } from './hit-table.js';
import type { IspRows } from './isp-rows.js';
import type { OriginClasses } from './origin-classes.js';
import type { Hit, ServiceVerdict, Surroundings } from './service.js';

/** What hits come to; a pure function. */
export type Decide = (hits: readonly Hit[], surroundings: Surroundings) => ServiceVerdict;

/** What is decided about, and where what it comes to is kept. */
export interface DecisionParts {
  readonly hits: HitTable;
  readonly cases: HitCases;
  readonly classes: OriginClasses;
  readonly decide: Decide;
  readonly rows: IspRows;
}

/** One decision per distinct pair of a case of claims and a class of origins; what it comes to, in columns. */
export class Decisions {
  readonly #hits: HitTable;
  readonly #cases: HitCases;
  readonly #classes: OriginClasses;
  readonly #decide: Decide;
  readonly #rows: IspRows;
  readonly #pairs = new TupleMemo(2);
  readonly #pair = new Int32Array(2);
  /** By number of the decision. */
  readonly #verdicts: number[] = [];
  readonly #deciders: (string | undefined)[] = [];
  readonly #dropped = new Map<number, ReadonlySet<string>>();

  constructor({ hits, cases, classes, decide, rows }: DecisionParts) {
    this.#hits = hits;
    this.#cases = cases;
    this.#classes = classes;
    this.#decide = decide;
    this.#rows = rows;
  }

  get count(): number {
    return this.#verdicts.length;
  }

  /** The number of the decision about a combination of claims, which may be ABSENT, where this class of origins is. */
  numberOf(combination: number, classNumber: number): number {
    this.#pair[0] = this.#cases.caseOf(combination);
    this.#pair[1] = classNumber;
    const number = this.#pairs.number(this.#pair);
    if (number === this.#verdicts.length) this.#add(this.#hitsOf(number), classNumber);
    return number;
  }

  /** The verdict's row. */
  verdictOf(decision: number): number {
    return this.#verdicts[decision]!;
  }

  /** The list whose type won; absent where no hit names a type. */
  deciderOf(decision: number): string | undefined {
    return this.#deciders[decision];
  }

  /** Hits that did not count, `<list> <why>`, each once. */
  droppedOf(decision: number): ReadonlySet<string> {
    return this.#dropped.get(decision) ?? NOTHING;
  }

  /** Calls `visit` with each list that says something of the network or its AS, once. */
  forEachList(decision: number, visit: (list: string) => void): void {
    for (const list of new Set(this.#hitsOf(decision).map(({ list }) => list))) visit(list);
  }

  /** What the decision is made from: words on a network of the case, then words on its AS. */
  #hitsOf(decision: number): readonly Hit[] {
    const ofNetwork = this.#hits.hitsOf(this.#cases.sampleOf(this.#pairs.at(decision, 0)));
    const ofAs = this.#classes.hitsOf(this.#pairs.at(decision, 1));
    return ofAs.length > 0 ? [...ofNetwork, ...ofAs] : ofNetwork;
  }

  #add(hits: readonly Hit[], classNumber: number): void {
    const verdict = this.#decide(hits, this.#classes.surroundingsOf(classNumber));
    if (verdict.dropped.length > 0) this.#dropped.set(this.#verdicts.length, new Set(verdict.dropped));
    this.#verdicts.push(this.#rows.internVerdict(verdict));
    this.#deciders.push(verdict.decidedBy);
  }
}

const NOTHING: ReadonlySet<string> = new Set();
