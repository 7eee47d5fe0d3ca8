import type { Deadline } from '../deadline.js';

/** A record as the API shows it (`api.md`, "DNS record"). */
export interface DnsRecord {
  /** `A`, or `TYPE65280` for a type without a name (RFC 3597 §5). */
  readonly type: string;
  /** Lower case, no trailing dot. */
  readonly name: string;
  /** Seconds, 0 to 2^31 - 1. */
  readonly ttl: number;
  /** Ruling 28: exchange of MX, `weight port target` of SRV, `mname rname` of SOA, joined chunks of TXT. */
  readonly value: string;
  /** MX and SRV. */
  readonly priority?: number;
  /** SOA, as are the others below. */
  readonly serial?: number;
  readonly refresh?: number;
  readonly retry?: number;
  readonly expire?: number;
  readonly minimum_ttl?: number;
}

/** What a name server said of a name and a type. */
export interface DnsReply {
  /** NOERROR, NXDOMAIN, SERVFAIL …, extended ones too (RFC 6895 §2.3). */
  readonly rcode: string;
  /** The question's name and its CNAME chain only, each row once. */
  readonly records: readonly DnsRecord[];
  /** Seconds for which absence may be believed: the lesser of the SOA's TTL and minimum (RFC 2308 §5). */
  readonly negativeTtl: number | undefined;
  /** Who said it: `192.0.2.53`, with `:5353` where the port is another than 53; absent for one of the system's or of a private network. */
  readonly server: string | undefined;
}

/** A stub resolver (RFC 1035 §5.3.1) that asks the configured servers, with a cache and one question at a time. */
export interface DnsClient {
  /**
   * `name` is a valid ASCII name, lower case, no trailing dot; `type` is a mnemonic. NOERROR and NXDOMAIN come back;
   * everything else throws UpstreamError after all servers were asked.
   */
  query(name: string, type: string, deadline: Deadline): Promise<DnsReply>;
  /** All IPv4 addresses of a host, then all IPv6 ones; none when it has none. Throws UpstreamError. */
  addressesOf(name: string, deadline: Deadline): Promise<readonly string[]>;
}
