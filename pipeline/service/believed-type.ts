import type { Hit } from './service.js';

/**
 * Hosting that VPN brands rent, by AS number. Both of X4BNet's lists hold it as a whole: millions of addresses of
 * which a brand itself lists a few thousand.
 */
export const RENTED_HOSTING: ReadonlyMap<number, string> = new Map([
  [9009, 'M247'],
  [60068, 'Datacamp (CDN77)'],
  [212238, 'Datacamp'],
]);

/**
 * The type that a hit is taken to name; absent where it names none. A VPN range of X4BNet in rented hosting is no more
 * than a data centre.
 */
export function typeOf({ list, claim }: Hit, asn: number | undefined): string | undefined {
  const isRented = asn !== undefined && RENTED_HOSTING.has(asn);
  return list === 'x4bnet' && claim.type === 'VPN' && isRented ? 'DCH' : claim.type;
}

/** The same where the usage of the address is known: nobody lives in a data centre, so a proxy in one is an open one. */
export function typeWithUsage(
  hit: Hit,
  asn: number | undefined,
  usageType: string | undefined,
): string | undefined {
  const type = typeOf(hit, asn);
  return type === 'RES' && hit.claim.isOwn !== true && isDataCentreUsage(usageType) ? 'PUB' : type;
}

/** Whether a usage type, or a part of one like `ISP/DCH`, is that of a data centre or its edges. */
export function isDataCentreUsage(usageType: string | undefined): boolean {
  return usageType?.split('/').some((code) => code === 'DCH' || code === 'CDN') ?? false;
}
