import type { FlatTable } from '../table/flat-table.js';
import { PrefixTable } from '../table/prefix-table.js';
import type { Delegations } from './registries.js';

/** Returns the most specific delegated block of every address; record ids are indexes of `delegations.allocations`. */
export function allocationsTable({ allocations }: Pick<Delegations, 'allocations'>): FlatTable {
  const table = new PrefixTable();
  for (let index = 0; index < allocations.count; index++) {
    const { address, length } = allocations.at(index);
    table.insert(address, length, index);
  }
  return table.flatten();
}
