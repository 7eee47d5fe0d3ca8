import type { Deadline } from '../deadline.js';

/** The target of a whois lookup. */
export type WhoisTarget =
  /** `name` is the registrable domain: A-labels, lower case. */
  | { readonly kind: 'domain'; readonly name: string }
  /** `length` is that of a prefix with zero host bits. Absent for a single address. */
  | { readonly kind: 'ip'; readonly ip: string; readonly version: 4 | 6; readonly length?: number }
  /** 0 to 2^32 - 1. */
  | { readonly kind: 'asn'; readonly asn: number };

/** Registration data in the fields of the API's whois record, without `target` (decision 27). */
export interface Registration {
  /** The reply as received, at most 256 kB. */
  readonly raw: string;
  /** For addresses and ASes the RIR, such as `ARIN`. */
  readonly registrar: string;
  /** ISO 8601 in UTC, `''` when unknown. The other two dates have the same format. */
  readonly creation_date: string;
  readonly expiry_date: string;
  readonly updated_date: string;
  /** Lower case, no trailing dot. */
  readonly nameservers: readonly string[];
  /** EPP status codes (RFC 8056). */
  readonly status: readonly string[];
  /** `''` when redacted. */
  readonly registrant: string;
  /** `signedDelegation`, `unsigned`, or `''`. */
  readonly dnssec: string;
}

/** The fields a parser reads from a reply. */
export type RecordFields = Omit<Registration, 'raw'>;

/**
 * Fills empty fields of a thin domain registry's record from the registrar's. Non-empty fields stay, because the domain
 * registry decides on dates, status and delegation. `raw` remains the domain registry's.
 */
export function fillFromRegistrar(thin: Registration, registrar: Registration): Registration {
  const stated = Object.entries<string | readonly string[]>({ ...thin }).filter(
    ([, value]) => value.length > 0,
  );
  return { ...registrar, ...(Object.fromEntries(stated) as Partial<Registration>), raw: thin.raw };
}

/** The answer to a whois lookup. */
export type WhoisAnswer =
  | { readonly kind: 'found'; readonly registration: Registration }
  /** The server says the object does not exist. `raw` is its reply. */
  | { readonly kind: 'absent'; readonly raw: string }
  /** No server is known for the target. */
  | { readonly kind: 'no-server' };

/** One protocol for whois lookups: RDAP, or whois on port 43. */
export interface WhoisClient {
  /** Queries the responsible servers. Throws UpstreamError when they do not answer. */
  ask(target: WhoisTarget, deadline: Deadline): Promise<WhoisAnswer>;
}
