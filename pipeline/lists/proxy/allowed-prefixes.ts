import type { Prefix } from '../../net/prefix.js';
import { PrefixTable } from '../../table/prefix-table.js';

/** A prefix for which the operator disables the claims of a scope. */
export interface AllowedPrefix {
  readonly prefix: Prefix;
  readonly scope: string;
}

/** A scope of a prefix, with the length of the most specific covering row, in bits of the 128-bit space. */
export interface CoveringScope {
  readonly scope: string;
  readonly length: number;
}

/** Prefixes with their scopes. A scope also applies to every prefix inside. */
export class AllowedPrefixes {
  readonly #table = new PrefixTable();
  /** The scopes of each prefix, by record id of the table. */
  readonly #scopes: string[][] = [];

  constructor(rows: Iterable<AllowedPrefix>) {
    for (const { prefix, scope } of rows) {
      const held = this.#table.insert(prefix.address, prefix.length, this.#scopes.length);
      if (held === undefined) this.#scopes.push([scope]);
      else this.#scopes[held]!.push(scope);
    }
  }

  /** Returns the scopes of the prefixes that cover a prefix, sorted by name. */
  covering({ address, length }: Prefix): CoveringScope[] {
    const narrowest = new Map<string, number>();
    for (const found of this.#table.covering(address, length)) {
      for (const scope of this.#scopes[found.recordId]!) narrowest.set(scope, found.length);
    }
    return [...narrowest]
      .map(([scope, length]) => ({ scope, length }))
      .sort((a, b) => (a.scope < b.scope ? -1 : 1));
  }
}
