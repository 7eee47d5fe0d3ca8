import type { FlatTable } from '../table/flat-table.js';
import { isLeaf, recordIdOf } from '../table/slots.js';
import { isOutdated, type ListInput } from './isp-inputs.js';
import type { RecordMaker } from './record-maker.js';

/** The input of the counters: the networks of each combination, and the decision about it. */
export interface Counted {
  /** Networks by distinct combination. */
  readonly combined: FlatTable;
  /** Number of the decision, by record id of `combined`. */
  readonly decisionOf: readonly number[];
  readonly maker: Pick<RecordMaker, 'decisions' | 'listsOf'>;
  /** The lists that are not outdated. */
  readonly lists: readonly ListInput[];
}

type Counters = Record<string, number>;

/**
 * Counts the listings by outcome, under these names:
 * - `isp.decisions`: distinct decisions;
 * - `lists.<id>.networks`: networks of the list;
 * - `lists.<id>.hits`: networks of the result with a listing of the list, of the network or of its AS;
 * - `lists.<id>.decided`: networks for which the list named the winning type;
 * - `lists.<id>.dropped.<reason>`: networks for which its listing did not count.
 */
export function countListings({ combined, decisionOf, maker, lists }: Counted): Counters {
  const { decisions } = maker;
  const networks = networksByDecision(combined, decisionOf, decisions.length);
  const ids = lists.map(({ id }) => id);
  const listed = new Counts(ids);
  const decided = new Counts();
  const dropped = new Counts();
  decisions.forEach((decision, number) => {
    const count = networks[number]!;
    if (decision.decidedBy !== undefined) decided.add(decision.decidedBy, count);
    for (const list of maker.listsOf(decision)) listed.add(list, count);
    for (const drop of new Set(decision.dropped)) dropped.add(drop, count);
  });
  return {
    'isp.decisions': decisions.length,
    ...Object.fromEntries(lists.map(({ id, table }) => [`lists.${id}.networks`, table.networkCount()])),
    ...listed.named((id) => `lists.${id}.hits`, ids),
    ...decided.named((id) => `lists.${id}.decided`),
    ...dropped.named((drop) => `lists.${drop.replace(' ', '.dropped.')}`),
  };
}

/** Counts by name. */
class Counts {
  readonly #counts: Map<string, number>;

  constructor(expected: readonly string[] = []) {
    this.#counts = new Map(expected.map((name) => [name, 0]));
  }

  add(name: string, count: number): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + count);
  }

  /** Returns the counts under their names in the manifest; `only` limits them. */
  named(counterOf: (name: string) => string, only: Iterable<string> = this.#counts.keys()): Counters {
    return Object.fromEntries(Array.from(only, (name) => [counterOf(name), this.#counts.get(name)!]));
  }
}

/** Counts the networks and ASes of each outdated list, as `lists.<id>.expired`. */
export function countExpired(lists: readonly ListInput[]): Counters {
  return Object.fromEntries(
    lists
      .filter(isOutdated)
      .map(({ id, table, asns }) => [`lists.${id}.expired`, table.networkCount() + asns.size]),
  );
}

function networksByDecision(
  { slots, nodeCount }: FlatTable,
  decisionOf: readonly number[],
  count: number,
): Float64Array {
  const networks = new Float64Array(count);
  for (let i = 0; i < 2 * nodeCount; i++) {
    const slot = slots[i]!;
    if (isLeaf(slot)) networks[decisionOf[recordIdOf(slot)]!]!++;
  }
  return networks;
}
