import type { AnnouncerRecord, RoutedRecord } from '../release/records.js';
import type { RecordTables } from '../release/snapshot.js';
import { bgpOf, isObserved } from './bgp-part.js';
import type { BgpPart } from './ip-record-schema.js';

/** Keeps `bgp` of each route as long as its record is in memory: it is long, and equal for many addresses. */
export class BgpCache {
  readonly #routed = new WeakMap<RecordTables, WeakMap<RoutedRecord, BgpPart>>();

  /** Returns `bgp` of an address with these records in `routes.mmdb` and `asn.mmdb`. */
  of(
    snapshot: RecordTables,
    route: RoutedRecord | undefined,
    announcer: AnnouncerRecord | undefined,
  ): BgpPart {
    if (route === undefined || (announcer !== undefined && isObserved(announcer)))
      return bgpOf(route, announcer, snapshot);
    let parts = this.#routed.get(snapshot);
    if (parts === undefined) this.#routed.set(snapshot, (parts = new WeakMap()));
    let bgp = parts.get(route);
    if (bgp === undefined) parts.set(route, (bgp = bgpOf(route, announcer, snapshot)));
    return bgp;
  }
}
