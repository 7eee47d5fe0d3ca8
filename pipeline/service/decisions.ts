import type { HostingNetwork } from '../cloud/hosting-networks.js';
import { TupleMemo } from '../table/tuple-memo.js';
import { ABSENT } from '../table/zip.js';
import { hitOf, type HitTable } from './hit-table.js';
import type { IspRows } from './isp-rows.js';
import type { Hit, ListInput, Origin, ServiceParts, ServiceVerdict, Surroundings } from './service.js';

/** Under which the table of hosting networks hits; it stands in no precedence, so any list goes before it. */
export const HOSTING_NETWORKS_ID = 'hosting-networks';

/** What hits come to; a pure function. */
export type Decide = (hits: readonly Hit[], surroundings: Surroundings) => ServiceVerdict;

/** What is decided from: combinations of claims, origins by id, what is known about their networks. */
export interface DecisionSources extends Pick<ServiceParts, 'networkTypes'> {
  readonly hits: HitTable;
  readonly lists: readonly ListInput[];
  readonly origins: readonly Origin[];
  readonly hosting: readonly HostingNetwork[];
}

/** One decision per distinct pair of a combination of claims and an origin. */
export class Decisions {
  readonly #sources: DecisionSources;
  readonly #decide: Decide;
  readonly #rows: IspRows;
  readonly #hitsOfAs: ReadonlyMap<number, readonly Hit[]>;
  readonly #pairs = new TupleMemo(2);
  readonly #pair = new Int32Array(2);
  /** By number of the decision. */
  readonly #verdicts: number[] = [];
  readonly #isps: (string | undefined)[] = [];
  readonly #carriers: (string | undefined)[] = [];
  readonly #deciders: (string | undefined)[] = [];
  readonly #dropped = new Map<number, readonly string[]>();

  constructor(sources: DecisionSources, decide: Decide, rows: IspRows) {
    this.#sources = sources;
    this.#decide = decide;
    this.#rows = rows;
    this.#hitsOfAs = hitsByAs(sources);
  }

  get count(): number {
    return this.#verdicts.length;
  }

  /** The number of the decision about addresses with this combination of claims and this origin; either may be ABSENT. */
  numberOf(combination: number, origin: number): number {
    this.#pair[0] = combination;
    this.#pair[1] = origin;
    const number = this.#pairs.number(this.#pair);
    if (number === this.#verdicts.length) this.#add(combination, origin);
    return number;
  }

  /** The verdict's row. */
  verdictOf(decision: number): number {
    return this.#verdicts[decision]!;
  }

  /** ISP and carrier that lists name. */
  listedOf(decision: number): Pick<ServiceVerdict, 'isp' | 'carrier'> {
    const isp = this.#isps[decision];
    const carrier = this.#carriers[decision];
    return { ...(isp !== undefined && { isp }), ...(carrier !== undefined && { carrier }) };
  }

  /** The list whose type won. */
  deciderOf(decision: number): string | undefined {
    return this.#deciders[decision];
  }

  /** Hits that did not count, `<list> <why>`. */
  droppedOf(decision: number): readonly string[] {
    return this.#dropped.get(decision) ?? [];
  }

  /** What the decision is made from: words on the network, then words on its AS. */
  hitsOf(decision: number): readonly Hit[] {
    const [combination, origin] = this.#pairs.tuples.subarray(2 * decision);
    return this.#hitsOfPair(combination!, this.#originOf(origin!));
  }

  #add(combination: number, originId: number): void {
    const origin = this.#originOf(originId);
    const asn = origin?.asn;
    const networkType = asn === undefined ? undefined : this.#sources.networkTypes.get(asn);
    const verdict = this.#decide(this.#hitsOfPair(combination, origin), { asn, networkType });
    if (verdict.dropped.length > 0) this.#dropped.set(this.#verdicts.length, verdict.dropped);
    this.#verdicts.push(this.#rows.internVerdict(verdict, origin));
    this.#isps.push(verdict.isp);
    this.#carriers.push(verdict.carrier);
    this.#deciders.push(verdict.decidedBy);
  }

  #hitsOfPair(combination: number, origin: Origin | undefined): readonly Hit[] {
    const ofNetwork = this.#sources.hits.hitsOf(combination);
    const ofAs = origin && this.#hitsOfAs.get(origin.asn);
    return ofAs ? [...ofNetwork, ...ofAs] : ofNetwork;
  }

  #originOf(id: number): Origin | undefined {
    return id === ABSENT ? undefined : this.#sources.origins[id];
  }
}

/** What is said of whole networks: by lists, and by the table of those that let out computers. */
function hitsByAs({
  lists,
  hosting,
}: Pick<DecisionSources, 'lists' | 'hosting'>): ReadonlyMap<number, readonly Hit[]> {
  const hits = new Map<number, Hit[]>();
  for (const { asn, provider } of hosting) {
    hits.set(asn, [hitOf({ id: HOSTING_NETWORKS_ID, day: 0, today: 0 }, { cloud: provider })]);
  }
  for (const list of lists) {
    for (const [asn, claim] of list.asns) {
      const held = hits.get(asn);
      if (held) held.push(hitOf(list, claim));
      else hits.set(asn, [hitOf(list, claim)]);
    }
  }
  return hits;
}
