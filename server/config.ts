import type { StoreAddress } from '../pipeline/store/store-address.js';

/** The settings of the server, parsed once from the environment. */
export interface ServerConfig {
  /** Address the API listens on; all addresses when absent. */
  readonly host?: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly metricsHost: string;
  readonly metricsPort: number;
  /** The Redis of accounts and meters. */
  readonly redis: RedisAddress;
  /** CIDR blocks of proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  /** Limit of open connections of all processes together. */
  readonly maxConnections: number;
  /** Limit of open connections of one IPv4 address or IPv6 /64. Trusted proxies have none. */
  readonly maxConnectionsPerSource: number;
  /** IANA time zone in which days and months begin. */
  readonly timeZone: string;
  readonly outputDir: string;
  /** Folder of IANA's special-purpose registries, as XML. */
  readonly registryDir: string;
  /** Folders with RDAP bootstrap files (RFC 9224). For each file, the first folder with a valid copy is used. */
  readonly rdapDirs: readonly string[];
  readonly workers: number;
  /** DNS servers as `address` or `address:port`; empty for the system's. */
  readonly dnsServers: readonly string[];
  /** CIDR blocks the server never connects to for a caller, such as the operator's own networks. */
  readonly egressDeny: readonly string[];
  /** Ports that callers cannot probe, from the server or from nodes. */
  readonly probeDenyPorts: readonly number[];
  /** Lets callers reach 127.0.0.0/8 and ::1; for development and tests. */
  readonly allowLoopback: boolean;
  readonly upstreams: Upstreams;
  /** Time limits for probe nodes, in ms; shorter in tests. */
  readonly nodeTimes?: Partial<NodeTimes>;
  /** Whether browsers get pages for people. */
  readonly hasPages: boolean;
  /** Whether visitors may read the report of the current release (decision 92). */
  readonly hasReport: boolean;
  /** Interval between two checks of `output/current`. */
  readonly releasePollMs: number;
  /** The store whose current release is followed; absent without STORE. */
  readonly store?: StoreAddress;
  /** Interval between two checks of the store. */
  readonly storePollMs: number;
  /** Number of releases to keep in `outputDir` when they come from a store. */
  readonly keepReleases: number;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
}

/** The upstream servers. Tests replace them with servers on the loopback. */
export interface Upstreams {
  /** Host name of the whois server that refers to all others. */
  readonly whoisRoot: string;
  /** 43, except in tests. */
  readonly whoisPort: number;
  /** Resolvers over HTTPS. Their index is part of the API and never changes. */
  readonly dohResolvers: readonly DohResolver[];
  /** The edge worker, and the secret that signs requests to it. */
  readonly dnsWorker?: { readonly url: string; readonly secret: string };
  /** PEM certificates of authorities that are trusted besides the system's; for tests. */
  readonly extraAuthorities?: string;
}

/** A public resolver over HTTPS (RFC 8484). */
export interface DohResolver {
  readonly name: string;
  readonly url: string;
  /** Addresses to use when DNS does not resolve its host name. */
  readonly addresses: readonly string[];
}

/** Time limits between the server and probe nodes, in ms. */
export interface NodeTimes {
  /** Interval between two pings; a node must answer one before the next. */
  readonly heartbeatMs: number;
  /** From the connection to the end of the node's self-test. */
  readonly readyMs: number;
  /** From a node's goodbye to its end of the connection; longer than its running jobs take. */
  readonly leaveMs: number;
  /** Until a node acknowledges a job. */
  readonly ackMs: number;
  /** Until a node answers a job (decision 34). */
  readonly answerMs: number;
  /** Shortest interval between two updates of `last_seen`. */
  readonly seenMs: number;
  /** How long a node counts as online after the last heartbeat recorded in Redis. */
  readonly presenceMs: number;
  /** How often each process reads which nodes are online, besides change notices. */
  readonly pollMs: number;
  /** How long the last known list of nodes is shown while Redis does not answer. */
  readonly staleMs: number;
}

/** Address of a Redis server. */
export type ServerAddress = { readonly url: string } | { readonly socketPath: string };

/** Address of a Redis server, or of some servers of a Redis Cluster. */
export type RedisAddress = ServerAddress | { readonly urls: readonly string[] };
