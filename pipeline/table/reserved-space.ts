import { parseAddress } from '../net/address.js';
import { ALWAYS_RESERVED, type SpecialPurposeRange } from '../net/special-purpose.js';
import type { FlatTable } from './flat-table.js';
import { PrefixTable } from './prefix-table.js';
import { ABSENT, zip } from './zip.js';

/** Raised when the same registries give a different reserved space. Part of the cache key of normalised inputs. */
export const RESERVED_SPACE_VERSION = 2;

/**
 * Returns the space that must not appear in any dataset, as networks with record id 0. A registry row that is not
 * globally reachable reserves its prefix; a more specific row that is reachable frees its part again. The ranges of
 * ALWAYS_RESERVED are reserved regardless of the registries.
 */
export function reservedSpace(registries: readonly SpecialPurposeRange[]): FlatTable {
  const byRegistry = new PrefixTable();
  for (const { prefix, globallyReachable } of registries) {
    byRegistry.insert(prefix.address, prefix.length, globallyReachable ? REACHABLE : RESERVED);
  }
  const always = new PrefixTable();
  for (const { start, end } of ALWAYS_RESERVED) {
    always.insertRange(parseAddress(start)!.address, parseAddress(end)!.address, RESERVED);
  }
  return zip([byRegistry.flatten(), always.flatten()], (ids) =>
    ids[0] === RESERVED || ids[1] === RESERVED ? RESERVED : ABSENT,
  );
}

const RESERVED = 0;
const REACHABLE = 1;
