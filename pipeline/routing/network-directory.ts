import type { AsNames, Delegations } from '../registry/registries.js';
import { CarrierLines } from './carrier-lines.js';
import { NetworkLinks } from './network-links.js';
import type { NetworkDirectory, NetworkIdentity, RoutingParts } from './parts.js';
import type { Neighbour, RouteTable } from './route-table.js';

/** What the registries, the names and the links tell about AS numbers; each answer is made once. */
export function networkDirectory(parts: RoutingParts): NetworkDirectory {
  return new Directory(parts);
}

const MAX_NEIGHBOURS = 20;
const NOBODY: readonly Neighbour[] = [];

class Directory implements NetworkDirectory {
  readonly #delegations: Delegations | undefined;
  readonly #asNames: AsNames | undefined;
  readonly #links: NetworkLinks;
  readonly #lines = new CarrierLines();
  readonly #identities = new Map<number, NetworkIdentity>();
  readonly #neighbours = new Map<number, Neighbour>();
  readonly #neighbourLists = new Map<number, readonly Neighbour[]>();

  constructor({ delegations, asNames, links }: RoutingParts) {
    this.#delegations = delegations;
    this.#asNames = asNames;
    this.#links = new NetworkLinks(links);
  }

  identityOf(asn: number): NetworkIdentity {
    return getOrMake(this.#identities, asn, () => this.#identify(asn));
  }

  neighboursOf(asn: number): readonly Neighbour[] {
    return getOrMake(this.#neighbourLists, asn, () => {
      const links = this.#links.linksOf(asn).subarray(0, MAX_NEIGHBOURS);
      if (links.length === 0) return NOBODY;
      return Array.from(links, (link) => this.#neighbour(this.#links.otherEnd(link, asn)));
    });
  }

  lineOf(routes: RouteTable, route: number): string | undefined {
    return this.#lines.lineOf(routes, route);
  }

  #identify(asn: number): NetworkIdentity {
    const delegation = this.#delegations?.asn(asn);
    const { name, entity, country: countryOfName } = this.#asNames?.nameOf(asn) ?? {};
    const country = delegation?.country ?? countryOfName;
    return {
      ...(name !== undefined && { name }),
      ...(entity !== undefined && { entity }),
      ...(country !== undefined && { country }),
      ...(delegation && { registry: delegation.registry }),
    };
  }

  #neighbour(asn: number): Neighbour {
    return getOrMake(this.#neighbours, asn, () => {
      const { name } = this.identityOf(asn);
      return name === undefined ? { asn } : { asn, name };
    });
  }
}

function getOrMake<Value extends object>(held: Map<number, Value>, asn: number, make: () => Value): Value {
  const known = held.get(asn);
  if (known) return known;
  const made = make();
  held.set(asn, made);
  return made;
}
