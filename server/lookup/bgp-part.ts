import type {
  AnnouncerRecord,
  ExchangeRecord,
  NeighbourRecord,
  NetworkRecord,
  RoutedRecord,
} from '../release/records.js';
import type { RecordTables } from '../release/snapshot.js';
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

/** An AS that another publisher observed: a record of `asn.mmdb` with `as_source`. */
export type ObservedAs = AnnouncerRecord & Required<Pick<AnnouncerRecord, 'as_source'>>;

/** Whether the AS of a record comes from another publisher than the route collectors. */
export function isObserved(announcer: AnnouncerRecord): announcer is ObservedAs {
  return announcer.as_source !== undefined;
}

/** Returns `bgp` of an address with these records in `routes.mmdb` and `asn.mmdb`. */
export function bgpOf(
  route: RoutedRecord | undefined,
  announcer: AnnouncerRecord | undefined,
  tables: Pick<RecordTables, 'networkOf'>,
): BgpPart {
  const observed = announcer !== undefined && isObserved(announcer) ? announcer : undefined;
  return route === undefined && observed === undefined ? UNKNOWN_BGP : bgpPart(route ?? {}, observed, tables);
}

/**
 * Returns `bgp` of an address: its record in `routes.mmdb` and the exchanges of the origin AS. `observed` is the AS of
 * an address without a known origin.
 */
function bgpPart(
  route: RoutedRecord,
  observed: ObservedAs | undefined,
  { networkOf }: Pick<RecordTables, 'networkOf'>,
): BgpPart {
  const { asn, name, country } = observed ? observedOrigin(observed) : routedOrigin(route);
  const network = asn === undefined ? undefined : networkOf(asn);
  const neighbours = observed ? neighboursOf(network) : (route.neighbours ?? []);
  return {
    prefix: route.prefix ?? null,
    as: asn ?? null,
    as_name: name ?? null,
    as_cc: country ?? null,
    allocation: route.allocation?.prefix ?? null,
    allocation_cc: route.allocation?.country ?? null,
    rpki_status: route.rpki ?? null,
    peers: neighbours.map((neighbour) => ({ asn: neighbour.asn, name: neighbour.name ?? '' })),
    ix: exchangesOf(route, network),
    ...(route.line !== undefined && { line: route.line }),
    ...(observed && { as_source: observed.as_source }),
  };
}

interface Origin {
  readonly asn: number | undefined;
  readonly name: string | undefined;
  readonly country: string | undefined;
}

function routedOrigin({ origin, as_name: name, as_country: country }: RoutedRecord): Origin {
  return { asn: origin, name, country };
}

function observedOrigin({ autonomous_system_number: asn, as_name, as_country }: ObservedAs): Origin {
  return { asn, name: as_name, country: as_country };
}

/** Returns the strongest neighbours of a network, as many as a route has. */
function neighboursOf({ topology }: Pick<NetworkRecord, 'topology'> = {}): readonly NeighbourRecord[] {
  const { upstreams = [], downstreams = [], peers = [] } = topology ?? {};
  return [...upstreams, ...downstreams, ...peers].sort((a, b) => b.power - a.power).slice(0, MAX_NEIGHBOURS);
}

const MAX_NEIGHBOURS = 20;

/** Returns the exchange with the address in its LAN, then those of the origin AS, without duplicates. */
function exchangesOf({ exchange: lan }: RoutedRecord, network: NetworkRecord | undefined): BgpPart['ix'] {
  const connected = network?.exchanges ?? [];
  const all = lan ? [lan, ...connected.filter(({ id }) => id !== lan.id)] : connected;
  return all.map(exchangePart);
}

function exchangePart({ id, name, city, country }: ExchangeRecord): BgpPart['ix'][number] {
  return { id, name, city: city ?? '', country: country ?? '' };
}
