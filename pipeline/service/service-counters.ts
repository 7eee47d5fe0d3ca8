import { ADDRESS_BITS, familyOf } from '../net/address.js';
import type { FlatTable } from '../table/flat-table.js';
import type { Decisions } from './decisions.js';
import type { IspRows } from './isp-rows.js';
import { isOutdated } from './list-age.js';
import type { ListInput } from './service.js';

/** What is counted: networks by combination, and the decision about each. */
export interface Counted {
  readonly joined: FlatTable;
  /** By the ids of `joined`. */
  readonly decisionOf: readonly number[];
  readonly decisions: Decisions;
  readonly rows: IspRows;
  /** Those that were heard. */
  readonly lists: readonly ListInput[];
}

type Counters = Record<string, number>;

/**
 * Figures of a merge, by name:
 * - `isp.decisions`: distinct combinations that were decided;
 * - `isp.addresses.proxy.<type>`: IPv4 addresses of proxies by their type;
 * - `lists.<id>.networks`: networks of the list;
 * - `lists.<id>.hits`: networks of the merge about which it says something, its word on whole AS included;
 * - `lists.<id>.decided`: those of which it gave the type;
 * - `lists.<id>.dropped.<reason>`: those in which its word did not count.
 */
export function countDecisions({ joined, decisionOf, decisions, rows, lists }: Counted): Counters {
  const { networks, addresses } = countByDecision(joined, decisionOf, decisions.count);
  const counters: Counters = { 'isp.decisions': decisions.count };
  const add = (name: string, count: number): void => {
    counters[name] = (counters[name] ?? 0) + count;
  };
  for (const { id, table } of lists) {
    counters[`lists.${id}.networks`] = table.networkCount();
    counters[`lists.${id}.hits`] = 0;
  }
  for (let decision = 0; decision < decisions.count; decision++) {
    const count = networks[decision]!;
    const type = rows.proxyTypeOf(decisions.verdictOf(decision));
    if (type !== undefined) add(`isp.addresses.proxy.${type}`, addresses[decision]!);
    const heard = new Set(decisions.hitsOf(decision).map(({ list }) => list));
    for (const list of heard) if (`lists.${list}.hits` in counters) add(`lists.${list}.hits`, count);
    const decider = decisions.deciderOf(decision);
    if (decider !== undefined) add(`lists.${decider}.decided`, count);
    for (const dropped of new Set(decisions.droppedOf(decision))) {
      const [list, reason] = dropped.split(' ');
      add(`lists.${list}.dropped.${reason}`, count);
    }
  }
  return counters;
}

/** `lists.<id>.expired`: networks and autonomous systems of lists that are too old to be heard. */
export function countExpired(lists: readonly ListInput[]): Counters {
  return Object.fromEntries(
    lists
      .filter(isOutdated)
      .map(({ id, table, asns }) => [`lists.${id}.expired`, table.networkCount() + asns.size]),
  );
}

function countByDecision(
  joined: FlatTable,
  decisionOf: readonly number[],
  count: number,
): { readonly networks: Float64Array; readonly addresses: Float64Array } {
  const networks = new Float64Array(count);
  const addresses = new Float64Array(count);
  joined.forEach((address, length, tuple) => {
    const decision = decisionOf[tuple]!;
    networks[decision]!++;
    if (familyOf(address) === 4) addresses[decision]! += 2 ** Math.min(32, ADDRESS_BITS - length);
  });
  return { networks, addresses };
}
