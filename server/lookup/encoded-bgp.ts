import type { AnnouncerRecord, RoutedRecord } from '../release/records.js';
import type { RecordTables } from '../release/snapshot.js';
import { bgpPart, isObserved, UNKNOWN_BGP, type ObservedAs } from './bgp-part.js';
import type { BgpPart } from './ip-record-schema.js';

/** `bgp` of a record with its JSON text. */
export interface EncodedBgp {
  readonly bgp: BgpPart;
  readonly json: string;
}

/** `bgp` of an address without a route and an AS. */
export const NO_ROUTE = encodeBgp(UNKNOWN_BGP);

/** Encodes `bgp` once per route, and once per route and observed AS: it is long, and equal for many addresses. */
export class EncodedBgps {
  readonly #routed = new WeakMap<RecordTables, WeakMap<RoutedRecord, EncodedBgp>>();
  readonly #observed = new WeakMap<RecordTables, WeakMap<ObservedAs, WeakMap<RoutedRecord, EncodedBgp>>>();

  /** Returns `bgp` of an address with these records in `routes.mmdb` and `asn.mmdb`. */
  of(
    snapshot: RecordTables,
    route: RoutedRecord | undefined,
    announcer: AnnouncerRecord | undefined,
  ): EncodedBgp {
    if (announcer !== undefined && isObserved(announcer)) {
      const byAs = held(this.#observed, snapshot);
      return encoded(held(byAs, announcer), { route: route ?? NO_RECORD, observed: announcer, snapshot });
    }
    if (route === undefined) return NO_ROUTE;
    return encoded(held(this.#routed, snapshot), { route, observed: undefined, snapshot });
  }
}

const NO_RECORD: RoutedRecord = Object.freeze({});

interface Found {
  readonly route: RoutedRecord;
  readonly observed: ObservedAs | undefined;
  readonly snapshot: RecordTables;
}

function encoded(parts: WeakMap<RoutedRecord, EncodedBgp>, { route, observed, snapshot }: Found): EncodedBgp {
  let part = parts.get(route);
  if (part === undefined) parts.set(route, (part = encodeBgp(bgpPart(route, observed, snapshot))));
  return part;
}

/** Returns the inner map of a key; adds it when it is missing. */
function held<Key extends object, Inner extends object, Value>(
  maps: WeakMap<Key, WeakMap<Inner, Value>>,
  key: Key,
): WeakMap<Inner, Value> {
  let map = maps.get(key);
  if (map === undefined) maps.set(key, (map = new WeakMap()));
  return map;
}

function encodeBgp(bgp: BgpPart): EncodedBgp {
  return { bgp, json: JSON.stringify(bgp) };
}
