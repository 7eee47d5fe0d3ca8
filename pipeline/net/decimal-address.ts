import type { Address } from './address.js';

/**
 * Parses an address written as a decimal integer of at most 39 digits, as IP2Location and IP2Proxy publish them, into
 * `into`. Accepts digits only: no sign, no leading zeros. Returns false when the text is not an integer below 2^128;
 * the contents of `into` are then undefined.
 */
export function parseDecimalAddress(text: string, into: Address, from = 0, to = text.length): boolean {
  const length = to - from;
  if (length === 0 || length > MAX_DIGITS || (length > 1 && text.charCodeAt(from) === ZERO)) return false;
  // Every intermediate value stays below 2^53, where a double holds integers exactly.
  const head = digitsValue(text, from, Math.min(to, from + HEAD_DIGITS));
  if (head === undefined) return false;
  into[0] = into[1] = 0;
  const high = Math.floor(head / WORD);
  into[2] = high;
  into[3] = head - high * WORD;
  for (let at = from + HEAD_DIGITS; at < to; at += STEP_DIGITS) {
    const end = Math.min(to, at + STEP_DIGITS);
    const value = digitsValue(text, at, end);
    if (value === undefined || !multiplyAdd(into, POWERS_OF_TEN[end - at]!, value)) return false;
  }
  return true;
}

const ZERO = 48;
const WORD = 2 ** 32;
/** The number of digits of 2^128 - 1. */
const MAX_DIGITS = 39;
/** Any number of 15 digits is below 2^53. */
const HEAD_DIGITS = 15;
/** A 32-bit word times a million, plus a carry, is below 2^53. */
const STEP_DIGITS = 6;
const POWERS_OF_TEN = [1, 10, 100, 1e3, 1e4, 1e5, 1e6] as const;

/** Parses the digits from `from` to `to` (exclusive). Returns undefined when a character is not a digit. */
function digitsValue(text: string, from: number, to: number): number | undefined {
  let value = 0;
  for (let i = from; i < to; i++) {
    const digit = text.charCodeAt(i) - ZERO;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
  }
  return value;
}

/** Sets `address` to `address` x `factor` + `carry`. Returns false when the result exceeds 128 bits. */
function multiplyAdd(address: Address, factor: number, carry: number): boolean {
  for (let word = 3; word >= 0; word--) {
    const product = address[word]! * factor + carry;
    carry = Math.floor(product / WORD);
    // Exact, and much faster than the remainder operator.
    address[word] = product - carry * WORD;
  }
  return carry === 0;
}
