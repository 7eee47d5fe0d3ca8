import { present } from '../mmdb/present.js';
import { map } from '../mmdb/schema.js';
import { formatPrefix } from '../net/prefix.js';
import type { Delegations, DelegatedStatus, Registry } from '../registry/registries.js';

/** The record schema of a delegated block. */
export const ALLOCATION_SCHEMA = map({
  prefix: 'string',
  country: 'string',
  registry: 'string',
  status: 'string',
  registered_as: 'uint32',
});

/** A block that a registry delegated. */
export interface AllocationRecord {
  readonly prefix: string;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
  readonly registry: Registry;
  readonly status: DelegatedStatus;
  /** The AS number of the block's registered holder, which is not necessarily the AS that announces it. */
  readonly registered_as?: number;
}

/**
 * Returns records of delegated blocks. The holder's AS number is present only if it has exactly one in the registry.
 */
export class AllocationRecords {
  readonly #allocations: Delegations['allocations'];
  readonly #asnByHolder: ReadonlyMap<string, number | undefined>;

  constructor(delegations: Delegations) {
    this.#allocations = delegations.allocations;
    this.#asnByHolder = asnByHolder(delegations);
  }

  at(index: number): AllocationRecord {
    const { address, length, registry, status, country, holder } = this.#allocations.at(index);
    const asn = holder === undefined ? undefined : this.#asnByHolder.get(holderKey(registry, holder));
    return present({ prefix: formatPrefix(address, length), country, registry, status, registered_as: asn });
  }
}

/** Returns the AS number of each holder with an AS number; undefined for holders with several. */
function asnByHolder(delegations: Delegations): Map<string, number | undefined> {
  const found = new Map<string, number | undefined>();
  for (const asn of delegations.asns) {
    const { registry, holder } = delegations.asn(asn)!;
    if (holder === undefined) continue;
    const key = holderKey(registry, holder);
    found.set(key, found.has(key) ? undefined : asn);
  }
  return found;
}

/** Holder ids are unique only within one registry. */
function holderKey(registry: Registry, holder: string): string {
  return `${registry} ${holder}`;
}
