/** What is asked of the registries. */
export type WhoisTarget =
  /** `name` is the registrable domain: A-labels, lower case. */
  | { readonly kind: 'domain'; readonly name: string }
  /** `length` of a prefix whose host bits are zero; absent for a single address. */
  | { readonly kind: 'ip'; readonly ip: string; readonly version: 4 | 6; readonly length?: number }
  /** 32 bits at most. */
  | { readonly kind: 'asn'; readonly asn: number };

/** What a registry says, in the fields of the API without `target` (`api.md`, "Whois record"; ruling 27). */
export interface Registration {
  /** As received, at most 256 kB. */
  readonly raw: string;
  /** For addresses and ASes the RIR: `ARIN`. */
  readonly registrar: string;
  /** ISO 8601 in UTC, `''` when unknown, as are the other two. */
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

/** An answer of the registries. */
export type WhoisAnswer =
  | { readonly kind: 'found'; readonly registration: Registration }
  /** It says that there is no such thing; `raw` are its words. A domain may then be registered. */
  | { readonly kind: 'absent'; readonly raw: string }
  /** Nobody is known who could be asked. */
  | { readonly kind: 'no-registry' };
