import type { Rib } from './rib.js';
import { familyOfPrefix } from './routable-prefix.js';

/** Bits of a family in `familiesOfPaths`. */
export const IPV4 = 1;
export const IPV6 = 2;

/** Returns by path of a RIB: the set of IPV4 and IPV6 of the prefixes with this path. */
export function familiesOfPaths({ prefixes, paths, entries }: Rib): Uint8Array {
  const families = new Uint8Array(paths.flags.length);
  for (let prefix = 0; prefix < prefixes.lengths.length; prefix++) {
    const family = familyOfPrefix(prefixes, prefix) === 4 ? IPV4 : IPV6;
    const end = entries.starts[prefix + 1]!;
    for (let entry = entries.starts[prefix]!; entry < end; entry++) {
      families[entries.paths[entry]!]! |= family;
    }
  }
  return families;
}
