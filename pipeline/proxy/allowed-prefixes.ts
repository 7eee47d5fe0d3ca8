import type { Prefix } from '../net/prefix.js';
import { PrefixTable } from '../table/prefix-table.js';

/** A prefix for which claims of a scope do not count. */
export interface AllowedPrefix {
  readonly prefix: Prefix;
  readonly scope: string;
}

/** A scope that holds at a place, and the length of the narrowest prefix that says so, in bits of the 128-bit space. */
export interface CoveringScope {
  readonly scope: string;
  readonly length: number;
}

/** Prefixes and their scopes, several for one prefix if need be: what is allowed for a prefix holds inside it too. */
export class AllowedPrefixes {
  readonly #table = new PrefixTable();
  /** Scopes by record id of the table: those of the very prefix. */
  readonly #scopes: string[][] = [];

  constructor(rows: Iterable<AllowedPrefix>) {
    for (const { prefix, scope } of rows) {
      const held = this.#table.insert(prefix.address, prefix.length, this.#scopes.length);
      if (held === undefined) this.#scopes.push([scope]);
      else this.#scopes[held]!.push(scope);
    }
  }

  /** Every scope that holds for the whole of a prefix, by name. */
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
