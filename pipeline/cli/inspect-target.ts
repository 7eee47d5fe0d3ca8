import { parseAddress, type Address, type Family } from '../net/address.js';
import { PrefixBuffer } from '../net/prefix.js';
import { UsageError } from './usage-error.js';

/**
 * An address and the family it was written in: `::` and 0.0.0.0 are the same 128-bit number, but not the same target.
 */
export interface AddressTarget {
  readonly kind: 'address';
  readonly address: Address;
  readonly family: Family;
}

/** A prefix without host bits. `length` is in bits of the 128-bit space. */
export interface PrefixTarget {
  readonly kind: 'prefix';
  readonly address: Address;
  readonly length: number;
  readonly family: Family;
  /** The text had host bits set. */
  readonly hadHostBits: boolean;
}

/** A 32-bit AS number. */
export interface NetworkTarget {
  readonly kind: 'network';
  readonly asn: number;
}

/** A target of `inspect`. */
export type InspectionTarget = AddressTarget | PrefixTarget | NetworkTarget;

/** Parses an address, a prefix, or `AS` and a number. Throws UsageError for any other text. */
export function requireTarget(text: string): InspectionTarget {
  const digits = /^as(\d+)$/i.exec(text)?.[1];
  if (digits !== undefined) return { kind: 'network', asn: requireAsn(text, digits) };
  if (/^\d+$/.test(text)) throw new UsageError(`invalid target "${text}": for an AS number write AS${text}`);
  const parsed = parseAddress(text);
  if (parsed) return { kind: 'address', ...parsed };
  const prefix = new PrefixBuffer();
  if (!prefix.parse(text)) {
    throw new UsageError(
      `invalid target "${text}": expected an IP address, a prefix or an AS number like AS13335`,
    );
  }
  const { address, length, family, hadHostBits } = prefix;
  return { kind: 'prefix', address, length, family, hadHostBits };
}

const MAX_ASN = 0xffff_ffff;

function requireAsn(text: string, digits: string): number {
  const asn = Number(digits);
  if (asn > MAX_ASN) throw new UsageError(`invalid AS number "${text}": expected AS0-AS${MAX_ASN}`);
  return asn;
}
