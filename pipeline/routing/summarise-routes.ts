import type { Rib } from '../bgp/rib.js';
import { familyOfPrefix, LONGEST_ROUTE } from '../bgp/routable-prefix.js';
import { IPV4_DEPTH, type Family } from '../net/address.js';
import { RPKI_STATES, type RpkiState, type Vrps } from '../registry/registries.js';
import type { FlatTable } from '../table/flat-table.js';
import { isNode, NONE } from '../table/slots.js';
import { readRouteEnds } from './route-ends.js';
import { RouteEntries } from './route-entries.js';
import { RouteTableBuilder } from './route-table-builder.js';
import { NOT_JUDGED, type RouteCounts, type RouteTable } from './route-table.js';
import { measureVisibility } from './visibility.js';

/** The input of `summariseRoutes`. */
export interface RouteInput {
  readonly rib: Rib;
  /** AS numbers that are ignored in paths. */
  readonly routeServers: ReadonlySet<number>;
  /** Undefined: routes get no RPKI state. */
  readonly vrps: Vrps | undefined;
  /** Special-purpose space; its record ids are ignored. */
  readonly reserved: FlatTable;
  /** The minimum share of the family's full-feed peers with a prefix, 0..1. Default: 0.1. */
  readonly visibilityFloor?: number;
}

/** Summarises the entries of each prefix into one route, and drops prefixes that are not publicly visible. */
export function summariseRoutes(input: RouteInput): { routes: RouteTable; counts: RouteCounts } {
  const { rib, routeServers, reserved, visibilityFloor } = input;
  const { addresses, lengths } = rib.prefixes;
  const visibility = measureVisibility(rib, visibilityFloor);
  const entries = new RouteEntries(rib, readRouteEnds(rib.paths, routeServers));
  const routes = new RouteTableBuilder(lengths.length);
  const judge = new Judge(input.vrps);
  const counts = new Counts();
  const address = new Uint32Array(4);
  for (let prefix = 0; prefix < lengths.length; prefix++) {
    const length = lengths[prefix]!;
    for (let word = 0; word < 4; word++) address[word] = addresses[4 * prefix + word]!;
    const family = familyOfPrefix(rib.prefixes, prefix);
    const unfit = unfitness(address, length, family, reserved);
    if (unfit !== undefined) {
      counts.dropped[unfit]++;
      continue;
    }
    const { isFull, floor } = visibility[family];
    entries.read(prefix, isFull);
    const unseen = entries.fullFeeds < floor ? 'visibility' : withoutRealOrigin(entries);
    if (unseen !== undefined) {
      counts.dropped[unseen]++;
      continue;
    }
    routes.addRoute(address, length, entries.peers);
    counts.add(family, entries.origins.length, judge.addOrigins(routes, entries, { address, length }));
    entries.upstreams.sort();
    routes.addUpstreams(entries.upstreams);
  }
  return { routes: routes.build(), counts };
}

type Drop = keyof RouteCounts['dropped'];

/** Returns the reason to drop a prefix whatever AS announces it; undefined if there is none. */
function unfitness(
  address: Uint32Array,
  length: number,
  family: Family,
  reserved: FlatTable,
): Drop | undefined {
  if (length === 0 || (family === 4 && length === IPV4_DEPTH)) return 'defaultRoute';
  if (length > LONGEST_ROUTE[family]) return 'tooLong';
  // Short prefixes such as ::/1 would cover ::/96, where IPv4 is kept. They are outside 2000::/3 anyway.
  if (family === 6 && address[0] === 0) return 'reserved';
  const slot = reserved.slotOfPrefix(address, length);
  return isNode(slot) || slot === NONE ? undefined : 'reserved';
}

function withoutRealOrigin({ origins, hasReservedOrigin }: RouteEntries): Drop | undefined {
  return origins.length === 0 && hasReservedOrigin ? 'reservedOrigin' : undefined;
}

/** Determines the RPKI state of origins (RFC 6811 §2). */
class Judge {
  readonly #vrps: Vrps | undefined;

  constructor(vrps: Vrps | undefined) {
    this.#vrps = vrps;
  }

  /** Adds the origins of a route with their states. Returns the state of the primary origin. */
  addOrigins(
    routes: RouteTableBuilder,
    { origins }: RouteEntries,
    prefix: { readonly address: Uint32Array; readonly length: number },
  ): RpkiState | undefined {
    origins.sort();
    let primary: RpkiState | undefined;
    for (let i = 0; i < origins.length; i++) {
      const asn = origins.asns[i]!;
      // If every path to this origin ended in a set, the originator is unknown.
      const originator = origins.marks[i] === 1 ? asn : undefined;
      const state = this.#vrps?.stateOf(prefix.address, prefix.length, originator);
      routes.addOrigin(
        asn,
        origins.counts[i]!,
        state === undefined ? NOT_JUDGED : RPKI_STATES.indexOf(state),
      );
      if (i === 0) primary = state;
    }
    return primary;
  }
}

class Counts implements RouteCounts {
  prefixes = 0;
  ipv4 = 0;
  ipv6 = 0;
  moas = 0;
  withoutOrigin = 0;
  readonly rpki = { valid: 0, invalid: 0, unknown: 0 };
  readonly dropped = { visibility: 0, defaultRoute: 0, tooLong: 0, reserved: 0, reservedOrigin: 0 };

  add(family: Family, origins: number, rpki: RpkiState | undefined): void {
    this.prefixes++;
    if (family === 4) this.ipv4++;
    else this.ipv6++;
    if (origins > 1) this.moas++;
    if (origins === 0) this.withoutOrigin++;
    if (rpki !== undefined) this.rpki[rpki]++;
  }
}
