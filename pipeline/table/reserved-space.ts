import { parseAddress } from '../net/address.js';
import { parsePrefix, type Prefix } from '../net/prefix.js';
import { ALWAYS_RESERVED, type SpecialPurposeRange } from '../net/special-purpose.js';
import type { FlatTable } from './flat-table.js';
import { PrefixTable } from './prefix-table.js';
import { ABSENT, zip } from './zip.js';

/** Raised when the same registries give a different reserved space. Part of the cache key of normalised inputs. */
export const RESERVED_SPACE_VERSION = 4;

/**
 * Returns the space that must not appear in any dataset, as networks with record id RESERVED. A registry row that is not
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

/**
 * Returns reserved space and, with record id NOT_DELEGATED, the global unicast space of IPv6 (2000::/3, RFC 4291 §2.4)
 * outside the blocks that IANA delegated. IPv4 is delegated as a whole.
 */
export function withheldSpace(
  registries: readonly SpecialPurposeRange[],
  delegatedIpv6: readonly Prefix[],
): FlatTable {
  const unicast = new PrefixTable();
  unicast.insert(GLOBAL_UNICAST.address, GLOBAL_UNICAST.length, NOT_DELEGATED);
  for (const { address, length } of delegatedIpv6) unicast.insert(address, length, DELEGATED);
  return zip([reservedSpace(registries), unicast.flatten()], (ids) => {
    if (ids[0] === RESERVED) return RESERVED;
    return ids[1] === NOT_DELEGATED ? NOT_DELEGATED : ABSENT;
  });
}

const GLOBAL_UNICAST = parsePrefix('2000::/3')!;

/** The record id of reserved space. */
export const RESERVED = 0;
/** The record id of space that no registry holds. */
export const NOT_DELEGATED = 1;
const REACHABLE = 1;
const DELEGATED = 2;
