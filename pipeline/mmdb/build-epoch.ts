/** The last build epoch that is a date with a year of four digits: 9999-12-31T23:59:59Z, in seconds since 1970. */
export const LAST_BUILD_EPOCH = 253_402_300_799;

/** Returns whether a build epoch is a date. The format allows any 64-bit number. */
export function isDate(buildEpoch: number): boolean {
  return buildEpoch >= 0 && buildEpoch <= LAST_BUILD_EPOCH;
}

/** Describes a build epoch that is no date, and what is allowed. Values beyond 2^53 are rounded. */
export function describeWrongEpoch(buildEpoch: number): string {
  const value = Number.isInteger(buildEpoch) ? BigInt(buildEpoch) : buildEpoch;
  return `${value}: expected 0-${LAST_BUILD_EPOCH}, in seconds since 1970 (at most the year 9999)`;
}
