import type { Deadline } from '../deadline.js';

/** A DNS record as the API shows it. */
export interface DnsRecord {
  /** `A`, or `TYPE65280` for a type without a name (RFC 3597 §5). */
  readonly type: string;
  /** Lower case, no trailing dot. */
  readonly name: string;
  /** Seconds, 0 to 2^31 - 1. */
  readonly ttl: number;
  /** Decision 28: MX exchange, SRV `weight port target`, SOA `mname rname`, TXT chunks joined. */
  readonly value: string;
  /** MX and SRV only. */
  readonly priority?: number;
  /** SOA only, as are the fields below. */
  readonly serial?: number;
  readonly refresh?: number;
  readonly retry?: number;
  readonly expire?: number;
  readonly minimum_ttl?: number;
}

/** A name server's reply to a question. */
export interface DnsReply {
  /** NOERROR, NXDOMAIN, SERVFAIL and so on, including extended rcodes (RFC 6895 §2.3). */
  readonly rcode: string;
  /** Only records of the question's name and its CNAME chain, without duplicates. */
  readonly records: readonly DnsRecord[];
  /** Seconds to cache absence: the lesser of the SOA's TTL and minimum (RFC 2308 §5). */
  readonly negativeTtl: number | undefined;
  /**
   * The server that replied: `192.0.2.53`, or `192.0.2.53:5353` if the port is not 53. Absent for a server from the
   * system's configuration or in a private network.
   */
  readonly server: string | undefined;
}

/** A stub resolver (RFC 1035 §5.3.1) over the configured servers. Caches replies and merges identical queries. */
export interface DnsClient {
  /**
   * Queries a valid ASCII name (lower case, no trailing dot) for a type mnemonic. Returns NOERROR and NXDOMAIN replies.
   * Throws UpstreamError for anything else, after trying all servers.
   */
  query(name: string, type: string, deadline: Deadline): Promise<DnsReply>;
  /** Returns the IPv4 addresses of a host, then its IPv6 addresses. Empty if it has none. Throws UpstreamError. */
  addressesOf(name: string, deadline: Deadline): Promise<readonly string[]>;
}
