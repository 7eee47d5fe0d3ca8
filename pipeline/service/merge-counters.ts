import type { FlatTable } from '../table/flat-table.js';
import { isLeaf, recordIdOf } from '../table/slots.js';
import type { Decisions } from './decisions.js';
import { isOutdated } from './list-age.js';
import type { ListInput } from './service.js';

/** What is counted: networks by combination, and the decision about each. */
export interface Counted {
  readonly joined: FlatTable;
  /** By the ids of `joined`. */
  readonly decisionOf: readonly number[];
  readonly decisions: Decisions;
  /** Those that were heard. */
  readonly lists: readonly ListInput[];
}

type Counters = Record<string, number>;

/**
 * Figures of a merge, by name:
 * - `isp.decisions`: distinct cases that were decided;
 * - `lists.<id>.networks`: networks of the list;
 * - `lists.<id>.hits`: networks of the merge about which it says something, its word on whole AS included;
 * - `lists.<id>.decided`: those of which it gave the type;
 * - `lists.<id>.dropped.<reason>`: those in which its word did not count.
 */
export function countDecisions({ joined, decisionOf, decisions, lists }: Counted): Counters {
  const networks = networksByDecision(joined, decisionOf, decisions.count);
  const ids = lists.map(({ id }) => id);
  const hits = new Counts(ids);
  const [decided, dropped] = [new Counts(), new Counts()];
  for (let decision = 0; decision < decisions.count; decision++) {
    const count = networks[decision]!;
    const decider = decisions.deciderOf(decision);
    if (decider !== undefined) decided.add(decider, count);
    decisions.forEachList(decision, (list) => {
      hits.add(list, count);
    });
    for (const drop of decisions.droppedOf(decision)) dropped.add(drop, count);
  }
  return {
    'isp.decisions': decisions.count,
    ...Object.fromEntries(lists.map(({ id, table }) => [`lists.${id}.networks`, table.networkCount()])),
    ...hits.named((id) => `lists.${id}.hits`, ids),
    ...decided.named((id) => `lists.${id}.decided`),
    ...dropped.named((drop) => `lists.${drop.replace(' ', '.dropped.')}`),
  };
}

/** Counts by what is counted. */
class Counts {
  readonly #counts: Map<string, number>;

  constructor(expected: readonly string[] = []) {
    this.#counts = new Map(expected.map((what) => [what, 0]));
  }

  add(what: string, count: number): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + count);
  }

  /** As counters, of all that was counted or of some. */
  named(nameOf: (what: string) => string, only: Iterable<string> = this.#counts.keys()): Counters {
    return Object.fromEntries(Array.from(only, (what) => [nameOf(what), this.#counts.get(what)!]));
  }
}

/** `lists.<id>.expired`: networks and autonomous systems of lists that are too old to be heard. */
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
