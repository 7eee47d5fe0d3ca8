import { map } from '../mmdb/schema.js';
import { formatPrefix } from '../net/prefix.js';
import type { Delegations, DelegatedStatus, Registry } from '../registry/registries.js';

/** The block that a registry has delegated, as records tell of it. */
export const ALLOCATION_SCHEMA = map({
  prefix: 'string',
  country: 'string',
  registry: 'string',
  status: 'string',
  registered_as: 'uint32',
});

export interface AllocationRecord {
  readonly prefix: string;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
  readonly registry: Registry;
  readonly status: DelegatedStatus;
  /** The AS number of the block's holder: whom it is registered to, whoever announces it. */
  readonly registered_as?: number;
}

/** Makes records of delegated blocks. The holder's AS number is told only where the registry gave it exactly one. */
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
    return {
      prefix: formatPrefix(address, length),
      ...(country !== undefined && { country }),
      registry,
      status,
      ...(asn !== undefined && { registered_as: asn }),
    };
  }
}

/** The one AS number of each holder; undefined where there are several. */
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

/** Ids of holders count within one registry only. */
function holderKey(registry: Registry, holder: string): string {
  return `${registry} ${holder}`;
}
