import { isDeepStrictEqual } from 'node:util';

/** What a canary lookup sees of a record. */
export interface CanaryAnswer {
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
  /** The AS that announces it. */
  readonly asn?: number;
}

/** An address whose answer is known. */
export type Canary =
  | { readonly ip: string; readonly country: string }
  | { readonly ip: string; readonly absent: true }
  /** Another spelling of an address: the answer of both is the same. */
  | { readonly ip: string; readonly sameAs: string };

/** One canary's outcome. */
export interface CanaryResult {
  readonly ip: string;
  readonly passed: boolean;
  /** E.g. `US`, `AS13335`, `no record`. */
  readonly found: string;
  /** E.g. `US`, `no record`, `the answer of 1.1.1.1 (AU)`. */
  readonly expected: string;
}

/**
 * Large anycast and long-standing assignments that every feed agrees on, space that belongs to nobody, and the two
 * notations of IPv4 in IPv6 that a dataset answers for (IPv4-mapped, RFC 4291 §2.5.5.2; 6to4, RFC 3056).
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

/** Whatever the collectors see, special-purpose space belongs to nobody, and IPv4 answers under its other notation. */
const ROUTES: readonly Canary[] = [
  { ip: '10.0.0.1', absent: true },
  { ip: '127.0.0.1', absent: true },
  { ip: '2001:db8::1', absent: true },
  { ip: '::ffff:1.1.1.1', sameAs: '1.1.1.1' },
];

/** What is asked of a file, by its database type; nothing of one that does not answer for addresses. */
export function canariesOf(databaseType: string): readonly Canary[] {
  if (databaseType.startsWith('ipatlas-City')) return CANARIES;
  return /^ipatlas-(ASN|Routes)\b/.test(databaseType) ? ROUTES : [];
}

/** Looks every canary up. `lookup` is absent where the dataset holds no record. */
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
    const other = lookup(canary.sameAs);
    const expected = `the answer of ${canary.sameAs} (${describe(other)})`;
    return { ip, passed: isDeepStrictEqual(answer, other), found, expected };
  });
}

function describe(answer: CanaryAnswer | undefined): string {
  if (!answer) return 'no record';
  const { country, asn } = answer;
  return country ?? (asn === undefined ? 'no country' : `AS${asn}`);
}
