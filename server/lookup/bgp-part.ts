import type { ExchangeRecord, RoutedRecord } from '../release/records.js';
import type { Snapshot } from '../release/snapshot.js';
import type { BgpPart } from './ip-record-schema.js';

/** `bgp` of an address without a record. */
export const UNKNOWN_BGP: BgpPart = Object.freeze({
  prefix: null,
  as: null,
  as_name: null,
  as_cc: null,
  allocation: null,
  allocation_cc: null,
  rpki_status: null,
  peers: [],
  ix: [],
});

/** Returns `bgp` of an address: its record in `routes.mmdb` and the exchanges of the origin AS. */
export function bgpPart(route: RoutedRecord, snapshot: Snapshot): BgpPart {
  return {
    prefix: route.prefix ?? null,
    as: route.origin ?? null,
    as_name: route.as_name ?? null,
    as_cc: route.as_country ?? null,
    allocation: route.allocation?.prefix ?? null,
    allocation_cc: route.allocation?.country ?? null,
    rpki_status: route.rpki ?? null,
    peers: (route.neighbours ?? []).map(({ asn, name }) => ({ asn, name: name ?? '' })),
    ix: exchangesOf(route, snapshot),
    ...(route.line !== undefined && { line: route.line }),
  };
}

/** Returns the exchange with the address in its LAN, then those of the origin AS, without duplicates. */
function exchangesOf({ exchange: lan, origin }: RoutedRecord, snapshot: Snapshot): BgpPart['ix'] {
  const connected = (origin === undefined ? undefined : snapshot.networkOf(origin)?.exchanges) ?? [];
  const all = lan ? [lan, ...connected.filter(({ id }) => id !== lan.id)] : connected;
  return all.map(exchangePart);
}

function exchangePart({ id, name, city, country }: ExchangeRecord): BgpPart['ix'][number] {
  return { id, name, city: city ?? '', country: country ?? '' };
}
