import { PROVIDER } from '../bgp/topology.js';
import { present, type Draft } from '../mmdb/present.js';
import { arrayOf, map } from '../mmdb/schema.js';
import type { RecordList } from '../mmdb/write.js';
import { isReservedAsn } from '../net/as-number.js';
import { formatPrefix, prefixFamily } from '../net/prefix.js';
import type { DelegatedStatus, Delegations } from '../registry/registries.js';
import type { FlatTable } from '../table/flat-table.js';
import { PrefixTable } from '../table/prefix-table.js';
import { NetworkExchanges, type ExchangeRecord } from './network-exchanges.js';
import { NetworkLinks } from './network-links.js';
import { distinctNumbers, RowsByNetwork } from './network-numbers.js';
import type { NetworkDirectory, NetworkIdentity, RoutingDataset, RoutingParts } from './parts.js';
import type { RouteTable } from './route-table.js';

const PREFIXES = arrayOf('string');
const LINKED = arrayOf(
  map({
    asn: 'uint32',
    power: 'uint32',
    name: 'string',
    power4: 'uint32',
    power6: 'uint32',
    uncertain: 'boolean',
  }),
);

/** The record schema of `networks.mmdb`. Empty lists are absent, and so is the topology of an AS without links. */
export const NETWORK_SCHEMA = map({
  name: 'string',
  entity: 'string',
  country: 'string',
  registry: 'string',
  status: 'string',
  date: 'string',
  ipv4_prefixes: PREFIXES,
  ipv6_prefixes: PREFIXES,
  topology: map({ upstreams: LINKED, downstreams: LINKED, peers: LINKED }),
  exchanges: arrayOf(map({ id: 'uint32', name: 'string', city: 'string', country: 'string' })),
  in_use: 'boolean',
  asn: 'uint32',
});

/** A neighbour of a network with the number of paths that show the link. */
export interface LinkedNetwork {
  readonly asn: number;
  /** The number of distinct paths with the link; `power4` and `power6` are those of one family, absent if 0. */
  readonly power: number;
  readonly name?: string;
  readonly power4?: number;
  readonly power6?: number;
  /** The link occurs only between a vantage point and its next hop. */
  readonly uncertain?: true;
}

/** Providers, customers and peers of a network, sorted by descending power, then by ascending AS number. */
export interface NetworkTopology {
  readonly upstreams?: readonly LinkedNetwork[];
  readonly downstreams?: readonly LinkedNetwork[];
  readonly peers?: readonly LinkedNetwork[];
}

/** A record of `networks.mmdb`. Prefixes are in address order. */
export interface NetworkRecord extends NetworkIdentity {
  readonly asn: number;
  readonly status?: DelegatedStatus;
  /** ISO date of the delegation. */
  readonly date?: string;
  /** Whether the AS originates a prefix of the route table. */
  readonly in_use: boolean;
  readonly ipv4_prefixes?: readonly string[];
  readonly ipv6_prefixes?: readonly string[];
  readonly topology?: NetworkTopology;
  readonly exchanges?: readonly ExchangeRecord[];
}

/** A dataset of an IPv4-only file. */
export interface NetworksDataset extends RoutingDataset {
  readonly ipVersion: 4;
}

/**
 * Returns `networks.mmdb`: a record for every AS number that is delegated, originates a prefix or has a link, except
 * reserved AS numbers. The file is an IPv4 file keyed by AS number: AS13335 is looked up as 0.0.52.23.
 */
export function networksDataset(parts: RoutingParts, directory: NetworkDirectory): NetworksDataset {
  const records = new NetworkRecords(parts, directory);
  return {
    table: tableOf(records.asns),
    records,
    schema: NETWORK_SCHEMA,
    databaseType: 'ipatlas-Networks',
    description: {
      en: 'ipatlas autonomous systems: delegation, prefixes, neighbours and exchanges, by AS number as IPv4 address',
    },
    ipVersion: 4,
  };
}

/** Record i belongs to AS `asns[i]` and is built on demand. */
class NetworkRecords implements RecordList {
  readonly asns: Uint32Array;
  readonly #directory: NetworkDirectory;
  readonly #delegations: Delegations | undefined;
  readonly #routes: RouteTable;
  readonly #originated: RowsByNetwork;
  readonly #links: NetworkLinks;
  readonly #exchanges: NetworkExchanges | undefined;

  constructor({ routes, links, delegations, peeringDb }: RoutingParts, directory: NetworkDirectory) {
    this.#directory = directory;
    this.#delegations = delegations;
    this.#routes = routes;
    this.#originated = new RowsByNetwork(routes.originAsns, routesOfOrigins(routes));
    this.#links = new NetworkLinks(links);
    this.#exchanges = peeringDb && new NetworkExchanges(peeringDb);
    this.asns = distinctNumbers(
      delegations?.asns ?? new Uint32Array(0),
      this.#originated.asns,
      this.#links.asns,
    ).filter((asn) => !isReservedAsn(asn));
  }

  get length(): number {
    return this.asns.length;
  }

  at(id: number): NetworkRecord {
    const asn = this.asns[id]!;
    const { status, date } = this.#delegations?.asn(asn) ?? {};
    const routes = this.#originated.rowsOf(asn);
    const topology = this.#topologyOf(asn);
    const exchanges = this.#exchanges?.exchangesOf(asn) ?? [];
    return present({
      ...this.#directory.identityOf(asn),
      status,
      date,
      ...this.#prefixesIn(routes),
      topology,
      exchanges: exchanges.length > 0 ? exchanges : undefined,
      in_use: routes.length > 0,
      asn,
    });
  }

  #prefixesIn(routes: Uint32Array): Pick<NetworkRecord, 'ipv4_prefixes' | 'ipv6_prefixes'> {
    const { addresses, lengths } = this.#routes;
    const ipv4: string[] = [];
    const ipv6: string[] = [];
    for (const route of routes) {
      const address = addresses.subarray(4 * route, 4 * route + 4);
      const length = lengths[route]!;
      const family = prefixFamily(address, length);
      (family === 4 ? ipv4 : ipv6).push(formatPrefix(address, length, family));
    }
    return {
      ...(ipv4.length > 0 && { ipv4_prefixes: ipv4 }),
      ...(ipv6.length > 0 && { ipv6_prefixes: ipv6 }),
    };
  }

  #topologyOf(asn: number): NetworkTopology | undefined {
    const { kinds, left } = this.#links.links;
    const upstreams: LinkedNetwork[] = [];
    const downstreams: LinkedNetwork[] = [];
    const peers: LinkedNetwork[] = [];
    const links = this.#links.linksOf(asn);
    for (const link of links) {
      const list = kinds[link] !== PROVIDER ? peers : left[link] === asn ? downstreams : upstreams;
      list.push(this.#linked(link, asn));
    }
    if (links.length === 0) return undefined;
    return {
      ...(upstreams.length > 0 && { upstreams }),
      ...(downstreams.length > 0 && { downstreams }),
      ...(peers.length > 0 && { peers }),
    };
  }

  /** Sets fields one by one: there are a million of these records, and a spread per field would dominate the cost. */
  #linked(link: number, asn: number): LinkedNetwork {
    const { power, power4, power6, uncertain } = this.#links.links;
    const other = this.#links.otherEnd(link, asn);
    const linked: Draft<LinkedNetwork> = { asn: other, power: power[link]! };
    const { name } = this.#directory.identityOf(other);
    if (name !== undefined) linked.name = name;
    if (power4[link]! > 0) linked.power4 = power4[link]!;
    if (power6[link]! > 0) linked.power6 = power6[link]!;
    if (uncertain[link] === 1) linked.uncertain = true;
    return linked;
  }
}

/** Returns the route of each row of the origin columns. */
function routesOfOrigins({ count, originStarts }: RouteTable): Uint32Array {
  const routes = new Uint32Array(originStarts[count]!);
  for (let route = 0; route < count; route++)
    routes.fill(route, originStarts[route], originStarts[route + 1]);
  return routes;
}

/** Returns a table in which AS number `asns[i]`, as an IPv4 address, has record i. */
function tableOf(asns: Uint32Array): FlatTable {
  const table = new PrefixTable();
  const address = new Uint32Array(4);
  asns.forEach((asn, id) => {
    address[3] = asn;
    table.insert(address, 128, id);
  });
  return table.flatten();
}
