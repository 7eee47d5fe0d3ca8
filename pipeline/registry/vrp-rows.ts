import type { Reason, Tally } from '../input/tally.js';
import { ADDRESS_BITS, familyOf } from '../net/address.js';
import { formatPrefix, PrefixBuffer } from '../net/prefix.js';
import { PrefixRows } from './prefix-rows.js';

/**
 * Collects validated ROA payloads of several files. Rows are counted as accepted or expired at the end of their file.
 */
export class VrpRows {
  readonly rows = new PrefixRows(['asn', 'maxLength', 'expires', 'position']);
  readonly #prefix = new PrefixBuffer();
  /** The first row of each file, and its tally. */
  readonly #files: { readonly from: number; readonly tally: Tally }[] = [];
  /** By row: 1 if it was rejected as expired. */
  #dropped = new Uint8Array(0);

  /** Starts a file. Must be called before its first row. */
  begin(tally: Tally): void {
    this.#files.push({ from: this.rows.count, tally });
  }

  /**
   * Adds a payload, or returns the reason if it is rejected. `maxLength` is in bits of the family, by default the
   * length of the prefix. `expires` is in seconds since 1970. `position` is the line, or the number in a list from 1.
   */
  add(payload: Payload, position: number): Reason | undefined {
    const { asn, maxLength, expires } = payload;
    if (asn === undefined) return 'asn';
    const prefix = this.#prefix;
    if (!prefix.parse(payload.prefix)) return 'address';
    // A prefix in ::/96 is not assigned, and would cover IPv4, which is kept there.
    if (prefix.family === 6 && familyOf(prefix.address) === 4) return 'reserved';
    const before = prefix.family === 4 ? ADDRESS_BITS - 32 : 0;
    const longest = maxLength === undefined ? prefix.length : before + maxLength;
    if (!Number.isInteger(longest) || longest < prefix.length || longest > ADDRESS_BITS) return 'max-length';
    if (prefix.hadHostBits) this.#files.at(-1)!.tally.note('host-bits');
    const { rows } = this;
    const row = rows.add(prefix.address, prefix.length);
    rows.column('asn')[row] = asn;
    rows.column('maxLength')[row] = longest;
    rows.column('expires')[row] = expires ?? NEVER;
    rows.column('position')[row] = position;
    return undefined;
  }

  /** Counts the rows of the last file. Rejects rows that had expired at its build time (seconds since 1970). */
  end(builtAt: number | undefined): void {
    const { from, tally } = this.#files.at(-1)!;
    const { rows } = this;
    const dropped = new Uint8Array(rows.count);
    dropped.set(this.#dropped);
    this.#dropped = dropped;
    const expires = rows.column('expires');
    for (let row = from; row < rows.count; row++) {
      if (builtAt === undefined || expires[row]! >= builtAt) {
        tally.accept();
      } else {
        this.#dropped[row] = 1;
        tally.reject('date', rows.column('position')[row]!, this.#excerpt(row));
      }
    }
  }

  isDropped(row: number): boolean {
    return this.#dropped[row] === 1;
  }

  /** Notes that a row repeats an earlier one. */
  noteDuplicate(row: number): void {
    this.#files.findLast(({ from }) => from <= row)!.tally.note('duplicate');
  }

  #excerpt(row: number): string {
    const { rows } = this;
    const address = rows.addresses.subarray(4 * row, 4 * row + 4);
    const prefix = formatPrefix(address, rows.lengths[row]!);
    return `AS${rows.column('asn')[row]!} ${prefix} expires ${rows.column('expires')[row]!}`;
  }
}

/** A payload as in a file. */
export interface Payload {
  /** Undefined if the file has no valid AS number. */
  readonly asn: number | undefined;
  /** A bare address is a prefix of full length. */
  readonly prefix: string;
  readonly maxLength: number | undefined;
  readonly expires: number | undefined;
}

/** Parses `AS13335` or `13335`. Returns undefined if the text is not an AS number. */
export function parseAsn(text: string): number | undefined {
  const match = /^(?:AS)?(\d{1,10})$/.exec(text);
  const asn = Number(match?.[1]);
  return match && asn <= MAX_ASN ? asn : undefined;
}

const MAX_ASN = 2 ** 32 - 1;
/** Later than every time in a file. */
const NEVER = 0xffff_ffff;
