import { isDeepStrictEqual } from 'node:util';

/** The part of a record that a canary looks at. */
export interface CanaryAnswer {
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
  /** The AS that announces the address. */
  readonly asn?: number;
  /** Whether the record says that the address is a proxy. */
  readonly isProxy?: boolean;
}

/** An address with a known answer. */
export type Canary =
  | { readonly ip: string; readonly country: string }
  | { readonly ip: string; readonly absent: true }
  /** Not a proxy; there may be no record at all. */
  | { readonly ip: string; readonly noProxy: true }
  /** Another notation of `sameAs`: both have the same answer. */
  | { readonly ip: string; readonly sameAs: string };

/** The outcome of one canary. */
export interface CanaryResult {
  readonly ip: string;
  readonly passed: boolean;
  /** E.g. `US`, `AS13335`, `no proxy`, `no record`. */
  readonly found: string;
  /** E.g. `US`, `no record`, `the answer of 1.1.1.1 (AU)`. */
  readonly expected: string;
  /** Why an answer other than the expected one passes. */
  readonly excuse?: string;
}

/**
 * Large anycast networks and long-standing assignments that all feeds agree on, special-purpose space, and the two
 * notations of IPv4 in IPv6 that a dataset answers (IPv4-mapped, RFC 4291 §2.5.5.2; 6to4, RFC 3056).
 */
export const CANARIES: readonly Canary[] = [
  { ip: '8.8.8.8', country: 'US' },
  { ip: '1.0.1.1', country: 'CN' },
  { ip: '2001:4860:4860::8888', country: 'US' },
  { ip: '10.0.0.1', absent: true },
  { ip: '127.0.0.1', absent: true },
  { ip: '2001:db8::1', absent: true },
  { ip: '::ffff:1.1.1.1', sameAs: '1.1.1.1' },
  { ip: '2002:808:808::1', sameAs: '8.8.8.8' },
];

/** Special-purpose space has no record, and IPv4-mapped addresses have the record of the IPv4 address. */
const ROUTES: readonly Canary[] = [
  { ip: '10.0.0.1', absent: true },
  { ip: '127.0.0.1', absent: true },
  { ip: '2001:db8::1', absent: true },
  { ip: '::ffff:1.1.1.1', sameAs: '1.1.1.1' },
];

/** Public resolvers, which many lists call proxies. */
const ISP: readonly Canary[] = [
  ...['1.1.1.1', '1.0.0.1', '8.8.8.8', '8.8.4.4', '2606:4700:4700::1111', '2001:4860:4860::8888'].map(
    (ip) => {
      return { ip, noProxy: true } as const;
    },
  ),
  ...ROUTES,
];

/** Special-purpose space has no evidence. */
const EVIDENCE: readonly Canary[] = ROUTES.filter((canary) => 'absent' in canary);

/** Returns the canaries of a database type; none for types without addresses. */
export function canariesOf(databaseType: string): readonly Canary[] {
  if (databaseType.startsWith('ipatlas-City')) return CANARIES;
  if (databaseType.startsWith('ipatlas-ISP')) return ISP;
  if (databaseType.startsWith('ipatlas-Evidence')) return EVIDENCE;
  return /^ipatlas-(ASN|Routes)\b/.test(databaseType) ? ROUTES : [];
}

/** The expected answer for an address that is not a proxy. */
export const NO_PROXY = 'no proxy';

/** Looks up every canary. `lookup` returns undefined for an address without a record. */
export function evaluateCanaries(
  lookup: (ip: string) => CanaryAnswer | undefined,
  canaries: readonly Canary[],
): CanaryResult[] {
  return canaries.map((canary) => {
    const { ip } = canary;
    const answer = lookup(ip);
    const found = describe(answer);
    if ('absent' in canary) return { ip, passed: answer === undefined, found, expected: describe(undefined) };
    if ('country' in canary) {
      return { ip, passed: answer?.country === canary.country, found, expected: canary.country };
    }
    if ('noProxy' in canary) {
      return { ip, passed: answer?.isProxy !== true, found, expected: NO_PROXY };
    }
    const other = lookup(canary.sameAs);
    const expected = `the answer of ${canary.sameAs} (${describe(other)})`;
    return { ip, passed: isDeepStrictEqual(answer, other), found, expected };
  });
}

function describe(answer: CanaryAnswer | undefined): string {
  if (!answer) return 'no record';
  const { country, asn, isProxy } = answer;
  if (isProxy !== undefined) return isProxy ? 'a proxy' : NO_PROXY;
  return country ?? (asn === undefined ? 'no country' : `AS${asn}`);
}
