import { parsePrefix, type Prefix } from './prefix.js';
import { recordsOf, RegistryError, textOf, type XmlNode } from './registry-xml.js';

/** One row of an IANA special-purpose address registry. */
export interface SpecialPurposeRange {
  readonly prefix: Prefix;
  readonly name: string;
  /** The row's Globally Reachable column; false too where it is `N/A`, or empty as in deprecated assignments. */
  readonly globallyReachable: boolean;
}

/**
 * Reads an IANA IPv4 or IPv6 special-purpose address registry (XML, RFC 6890 as updated by RFC 8190).
 * One element may hold several prefixes (`192.0.0.170/32, 192.0.0.171/32`) and footnote references between the
 * text. `N/A` and an empty word are read as not globally reachable (ruling of the project: such space is reserved).
 * Throws RegistryError naming the row when a prefix or a boolean cannot be read, or when there is no row at all.
 */
export function parseSpecialPurposeRegistry(xml: string): readonly SpecialPurposeRange[] {
  const ranges = recordsOf(xml).flatMap(readRecord);
  if (ranges.length === 0) throw new RegistryError('no <record> with an <address> in the registry');
  return ranges;
}

/**
 * Space that is reserved whatever the registries list, as inclusive ranges: multicast and class E (RFC 5771,
 * RFC 1112 §4), and IPv6 outside the global unicast block 2000::/3 (RFC 4291 §2.4), ::/96 left to IPv4.
 */
export const ALWAYS_RESERVED: readonly { readonly start: string; readonly end: string }[] = [
  { start: '224.0.0.0', end: '255.255.255.255' },
  { start: '::1:0:0', end: '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff' },
  { start: '4000::', end: 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff' },
];

function readRecord(record: XmlNode): SpecialPurposeRange[] {
  const address = textOf(record['address']);
  const globallyReachable = readBoolean(textOf(record['global']), address);
  const name = textOf(record['name']);
  return address
    .split(/[\s,]+/)
    .filter((text) => text !== '')
    .map((text) => {
      const prefix = parsePrefix(text);
      if (!prefix) throw new RegistryError(`"${text}" in <address>${address}</address> is not a prefix`);
      return { prefix, name, globallyReachable };
    });
}

function readBoolean(text: string, address: string): boolean {
  switch (text.toLowerCase()) {
    case 'true':
      return true;
    case 'false':
    case 'n/a':
    case '':
      return false;
    default:
      throw new RegistryError(`"${text}" is not a Globally Reachable value, at ${address}`);
  }
}
