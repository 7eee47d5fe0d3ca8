import { parsePrefix, type Prefix } from './prefix.js';
import { recordsOf, RegistryError, textOf, type XmlNode } from './registry-xml.js';

/** One row of an IANA special-purpose address registry. */
export interface SpecialPurposeRange {
  readonly prefix: Prefix;
  readonly name: string;
  /** The Globally Reachable column. False also for `N/A` and for the empty value of deprecated assignments. */
  readonly globallyReachable: boolean;
}

/**
 * Reads an IANA IPv4 or IPv6 special-purpose address registry (XML, RFC 6890 as updated by RFC 8190). One element may
 * hold several prefixes (`192.0.0.170/32, 192.0.0.171/32`) and footnote references between them. `N/A` and an empty
 * value mean not globally reachable: such space is treated as reserved (decision 20). Throws RegistryError when the
 * registry has no row, or when a row has an invalid prefix or boolean.
 */
export function parseSpecialPurposeRegistry(xml: string): readonly SpecialPurposeRange[] {
  const ranges = recordsOf(xml).flatMap(readRecord);
  if (ranges.length === 0)
    throw new RegistryError('no <record> with an <address> in the special-purpose registry');
  return ranges;
}

/**
 * Space that is reserved regardless of the registries, as inclusive ranges: multicast and class E (RFC 5771,
 * RFC 1112 §4), and IPv6 outside the global unicast block 2000::/3 (RFC 4291 §2.4). ::/96 is not listed because IPv4
 * is stored there.
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
      if (!prefix) throw new RegistryError(`invalid prefix "${text}" in <address>${address}</address>`);
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
      throw new RegistryError(
        `invalid Globally Reachable value "${text}" of ${address}: expected True, False, N/A or nothing`,
      );
  }
}
