import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADDRESS_BITS, commonBits, type Address } from '../net/address.js';
import { formatPrefix, parsePrefix, type Prefix } from '../net/prefix.js';
import { parseSpecialPurposeRegistry } from '../net/special-purpose.js';

/** A block of addresses for which no release has records. */
export interface ReservedBlock {
  readonly prefix: string;
  /** The name of the assignment: `Private-Use`. */
  readonly name: string;
  /** Where the block is assigned. */
  readonly source: string;
}

/** Space that is reserved whatever the registries list. */
const ALWAYS: readonly ReservedBlock[] = [
  { prefix: '224.0.0.0/4', name: 'Multicast', source: 'RFC 5771' },
  { prefix: '240.0.0.0/4', name: 'Reserved', source: 'RFC 1112 §4' },
  { prefix: 'ff00::/8', name: 'Multicast', source: 'RFC 4291 §2.7' },
];

/**
 * Returns the most specific reserved block that contains an address, or all of a prefix with `length` bits of 128. Reads
 * IANA's special-purpose registries (RFC 6890) from `<feedsDir>/iana`. Throws RegistryError for a damaged registry.
 */
export function reservedBlockOf(
  address: Address,
  feedsDir: string,
  length = ADDRESS_BITS,
): ReservedBlock | undefined {
  const contains = ({ prefix }: { readonly prefix: Prefix }): boolean =>
    prefix.length <= length && commonBits(prefix.address, address) >= prefix.length;
  const [closest] = ['ipv4', 'ipv6']
    .flatMap((family) => readRanges(join(feedsDir, 'iana', `iana-${family}-special-registry.xml`)))
    .filter(contains)
    .sort((a, b) => b.prefix.length - a.prefix.length);
  if (closest?.globallyReachable === true) return undefined;
  if (closest === undefined) return ALWAYS.find(({ prefix }) => contains({ prefix: parsePrefix(prefix)! }));
  const { prefix, name } = closest;
  return {
    prefix: formatPrefix(prefix.address, prefix.length, prefix.family),
    name,
    source: 'IANA special-purpose registry',
  };
}

function readRanges(path: string): ReturnType<typeof parseSpecialPurposeRegistry> {
  return parseSpecialPurposeRegistry(readFileSync(path, 'utf8'));
}

/** Formats a reserved block: `reserved: Private-Use, 10.0.0.0/8 (IANA special-purpose registry)`. */
export function describeReserved({ prefix, name, source }: ReservedBlock): string {
  return `reserved: ${name}, ${prefix} (${source}); no release has records for it`;
}
