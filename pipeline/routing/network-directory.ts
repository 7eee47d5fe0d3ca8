import { present } from '../mmdb/present.js';
import type { AsNames, Delegations } from '../registry/registries.js';
import { CarrierLines } from './carrier-lines.js';
import { NetworkLinks } from './network-links.js';
import { Organisations } from './organisations.js';
import type { NetworkDirectory, NetworkIdentity, RoutingParts } from './parts.js';
import type { Neighbour, RouteTable } from './route-table.js';

/** Returns a directory of AS numbers from registries, names and links. Every answer is computed once and kept. */
export function networkDirectory(parts: RoutingParts): NetworkDirectory {
  return new Directory(parts);
}

const MAX_NEIGHBOURS = 20;

class Directory implements NetworkDirectory {
  readonly #delegations: Delegations | undefined;
  readonly #asNames: AsNames | undefined;
  readonly #organisations: Organisations;
  readonly #links: NetworkLinks;
  readonly #lines = new CarrierLines();
  readonly #identities = new Map<number, NetworkIdentity>();
  readonly #neighbours = new Map<number, Neighbour>();
  readonly #neighbourLists = new Map<number, readonly Neighbour[]>();

  constructor(parts: RoutingParts) {
    this.#delegations = parts.delegations;
    this.#asNames = parts.asNames;
    this.#organisations = new Organisations(parts);
    this.#links = new NetworkLinks(parts.links);
  }

  identityOf(asn: number): NetworkIdentity {
    let identity = this.#identities.get(asn);
    if (!identity) this.#identities.set(asn, (identity = this.#identify(asn)));
    return identity;
  }

  neighboursOf(asn: number): readonly Neighbour[] {
    let neighbours = this.#neighbourLists.get(asn);
    if (!neighbours) this.#neighbourLists.set(asn, (neighbours = this.#listNeighbours(asn)));
    return neighbours;
  }

  lineOf(routes: RouteTable, route: number): string | undefined {
    return this.#lines.lineOf(routes, route);
  }

  #identify(asn: number): NetworkIdentity {
    const delegation = this.#delegations?.asn(asn);
    const line = this.#asNames?.nameOf(asn);
    const country = delegation?.country ?? line?.country;
    return present({ ...this.#organisations.namesOf(asn, line), country, registry: delegation?.registry });
  }

  #listNeighbours(asn: number): readonly Neighbour[] {
    const neighbours: Neighbour[] = [];
    for (const link of this.#links.linksOf(asn).subarray(0, MAX_NEIGHBOURS)) {
      neighbours.push(this.#neighbour(this.#links.otherEnd(link, asn)));
    }
    return neighbours;
  }

  #neighbour(asn: number): Neighbour {
    let neighbour = this.#neighbours.get(asn);
    if (!neighbour) {
      const { name } = this.identityOf(asn);
      this.#neighbours.set(asn, (neighbour = name === undefined ? { asn } : { asn, name }));
    }
    return neighbour;
  }
}
