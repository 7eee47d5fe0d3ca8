/**
 * Whether an AS number is reserved: 0 (RFC 7607), AS_TRANS (RFC 6793 §9), documentation (RFC 5398), private use
 * (RFC 6996), the last number of 16 and of 32 bits (RFC 7300), and 65552-131071, which IANA reserves. Higher numbers
 * are not reserved, although the list in CAIDA's published script (IANA's of 2013) contains most of them.
 */
export function isReservedAsn(asn: number): boolean {
  return asn === 0 || asn === AS_TRANS || (asn >= 64_496 && asn <= 131_071) || asn >= 4_200_000_000;
}

/** Whether an AS number is for private use (RFC 6996 §5): 64512-65534, 4200000000-4294967294. */
export function isPrivateAsn(asn: number): boolean {
  return (asn >= 64_512 && asn <= 65_534) || (asn >= 4_200_000_000 && asn <= 4_294_967_294);
}

/** Replaces a 32-bit AS number in 16-bit AS paths (RFC 6793). */
const AS_TRANS = 23_456;
