import type { Reason, Tally } from '../input/tally.js';
import { parsePrefix, type Prefix } from '../net/prefix.js';
import { recordsOf, textOf, type XmlNode } from '../net/registry-xml.js';
import type { Registry } from './registries.js';

/** The file of IANA's IPv6 Global Unicast Address Assignments. */
export const IPV6_ASSIGNMENTS = 'ipv6-unicast-address-assignments.xml';

/** A block of addresses with IANA's designation. */
export interface AddressBlock {
  readonly prefix: Prefix;
  /** Absent if it is not designated to a regional registry, but to an IETF use or an early holder. */
  readonly registry?: Registry;
  /** As published: `APNIC`, `Administered by ARIN`, `US-DOD`, `6to4`. */
  readonly designation: string;
  /** `ALLOCATED`, `LEGACY`, `RESERVED`, … */
  readonly status: string;
}

/** A range of AS numbers, both ends inclusive, with IANA's designation. */
export interface AsnBlock {
  readonly first: number;
  readonly last: number;
  /** Absent if no regional registry assigns it. */
  readonly registry?: Registry;
  /** As published: `Assigned by AFRINIC`, `Reserved for Private Use`, `Unallocated`. */
  readonly designation: string;
}

/**
 * Reads the records of IANA's IPv4 Address Space Registry (a /8 each: `001/8`) or of its IPv6 Global Unicast Address
 * Assignments (`2001:0200::/23`). Positions in the tally are record numbers from 1.
 */
export function readAddressBlocks(xml: string, tally: Tally): AddressBlock[] {
  return readRecords(xml, tally, 'prefix', (record) => {
    const prefix = parseBlock(textOf(record['prefix']));
    // The IPv4 registry has designations, the IPv6 one descriptions.
    const designation = textOf(record['designation']) || textOf(record['description']);
    if (!prefix) return 'address';
    return { prefix, ...registryIn(designation), designation, status: textOf(record['status']) };
  });
}

/**
 * Returns the blocks of IPv6 that IANA allocated to registries or for a use, from its assignments. Blocks in none of
 * them are not delegated. Includes allocations that old copies lack.
 */
export function allocatedIpv6(blocks: readonly AddressBlock[]): Prefix[] {
  const allocated = blocks.filter(({ status }) => status === 'ALLOCATED').map(({ prefix }) => prefix);
  return [...allocated, ...NEWER_ALLOCATIONS.map((text) => parsePrefix(text)!)];
}

/** The blocks that IANA's list has since 2007, which old copies may lack. An allocation is never withdrawn. */
const NEWER_ALLOCATIONS = ['2001:2000::/19', '2410::/12', '2630::/12', '2a10::/12'];

/**
 * Reads the records of IANA's Autonomous System (AS) Numbers registries, 16-bit and 32-bit. Skips the row of the second
 * that refers to the first.
 */
export function readAsnBlocks(xml: string, tally: Tally): AsnBlock[] {
  return readRecords(xml, tally, 'number', (record) => {
    const number = textOf(record['number']);
    const match = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(number);
    const first = Number(match?.[1]);
    const last = Number(match?.[2] ?? match?.[1]);
    if (!match || last > MAX_ASN) return 'asn';
    if (first > last) return 'inverted';
    if (number === CROSS_REFERENCE) return undefined;
    const designation = textOf(record['description']);
    return { first, last, ...registryIn(designation), designation };
  });
}

const MAX_ASN = 2 ** 32 - 1;
const CROSS_REFERENCE = '0-65535';
const NAMES: Readonly<Record<string, Registry>> = {
  AFRINIC: 'afrinic',
  APNIC: 'apnic',
  ARIN: 'arin',
  LACNIC: 'lacnic',
  'RIPE NCC': 'ripe',
};

/**
 * Reads the records with the element. `read` returns the result, undefined to skip the record, or the reason to reject
 * it.
 */
function readRecords<T extends object>(
  xml: string,
  tally: Tally,
  element: string,
  read: (record: XmlNode) => T | Reason | undefined,
): T[] {
  const records = recordsOf(xml).filter((record) => element in record);
  return records.flatMap((record, index) => {
    const found = read(record);
    if (typeof found === 'string') {
      tally.reject(found, index + 1, textOf(record[element]));
      return [];
    }
    tally.accept();
    if (found) return [found];
    tally.note('skipped');
    return [];
  });
}

/** Parses `001/8` or an IPv6 prefix. */
function parseBlock(text: string): Prefix | undefined {
  const ipv4 = /^0{0,2}(\d{1,3})\/8$/.exec(text);
  return parsePrefix(ipv4 ? `${ipv4[1]!}.0.0.0/8` : text);
}

function registryIn(designation: string): { readonly registry?: Registry } {
  const name = designation.replace(/^(?:administered|assigned) by /i, '');
  const registry = NAMES[name];
  return registry === undefined ? {} : { registry };
}
