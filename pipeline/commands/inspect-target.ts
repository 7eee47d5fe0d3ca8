import { parseAddress, type Address, type Family } from '../net/address.js';
import { PrefixBuffer } from '../net/prefix.js';
import { UsageError } from './usage-error.js';

/** An address in the family it was written in: `::` is not 0.0.0.0, though both are one place in the 128-bit space. */
export interface AddressTarget {
  readonly kind: 'address';
  readonly address: Address;
  readonly family: Family;
}

/** A prefix with its host bits masked away; `length` is bits of the 128-bit space. */
export interface PrefixTarget {
  readonly kind: 'prefix';
  readonly address: Address;
  readonly length: number;
  readonly family: Family;
  /** The text had bits set behind its length. */
  readonly hadHostBits: boolean;
}

/** An AS number of 32 bits. */
export interface NetworkTarget {
  readonly kind: 'network';
  readonly asn: number;
}

export type InspectionTarget = AddressTarget | PrefixTarget | NetworkTarget;

/** What a text asks for: an address, a prefix, or `AS` and a number. Throws UsageError when it is none of them. */
export function requireTarget(text: string): InspectionTarget {
  const digits = /^as(\d+)$/i.exec(text)?.[1];
  if (digits !== undefined) return { kind: 'network', asn: requireAsn(text, digits) };
  if (/^\d+$/.test(text)) throw new UsageError(`"${text}" is a bare number: write AS${text} for an AS`);
  const parsed = parseAddress(text);
  if (parsed) return { kind: 'address', ...parsed };
  const prefix = new PrefixBuffer();
  if (!prefix.parse(text)) {
    throw new UsageError(`"${text}" is not an IPv4 or IPv6 address, a prefix or an AS number like AS13335`);
  }
  const { address, length, family, hadHostBits } = prefix;
  return { kind: 'prefix', address, length, family, hadHostBits };
}

const MAX_ASN = 0xffff_ffff;

function requireAsn(text: string, digits: string): number {
  const asn = Number(digits);
  if (asn > MAX_ASN) throw new UsageError(`"${text}" is not an AS number: they end at AS${MAX_ASN}`);
  return asn;
}
