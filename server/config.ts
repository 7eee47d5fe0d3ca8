/** What the server was started with; parsed once from the environment. */
export interface ServerConfig {
  /** Where it listens: all addresses when absent. */
  readonly host?: string;
  /** 0 takes any free one. */
  readonly port: number;
  /** Prometheus; on the loopback unless METRICS_HOST says otherwise. */
  readonly metricsHost: string;
  readonly metricsPort: number;
  /** Of the accounts and meters. */
  readonly redis: RedisAddress;
  /** CIDR list of proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  /** IANA time zone of days and months. */
  readonly timeZone: string;
  readonly outputDir: string;
  /** Folder of IANA's special-purpose registries, as XML. */
  readonly registryDir: string;
  /** Folders with RDAP bootstrap files (RFC 9224): of each file the first folder's that has a good one. */
  readonly rdapDirs: readonly string[];
  readonly workers: number;
  /** DNS servers as `address` or `address:port`; of the system when empty. */
  readonly dnsServers: readonly string[];
  /** CIDR blocks that are never connected to on behalf of a caller; those of this machine's own networks, say. */
  readonly egressDeny: readonly string[];
  /** Lets callers reach 127.0.0.0/8 and ::1: a switch for development and tests. */
  readonly allowLoopback: boolean;
  readonly upstreams: Upstreams;
  /** How patient we are with probe nodes, ms; for tests. */
  readonly nodeTimes?: Partial<NodeTimes>;
  /** How often `output/current` is looked at. */
  readonly releasePollMs: number;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
}

/** Where the world is that is asked on behalf of callers; tests put it on the loopback. */
export interface Upstreams {
  /** The root of port-43 whois, as host name: it refers to the others. */
  readonly whoisRoot: string;
  /** 43 but for tests. */
  readonly whoisPort: number;
  /** DNS over HTTPS, by index: the index is part of the API and never changes. */
  readonly dohResolvers: readonly DohResolver[];
  /** An edge worker that resolves where it runs, and the secret that signs what it is asked. */
  readonly dnsWorker?: { readonly url: string; readonly secret: string };
  /** PEM of authorities that are believed besides the usual ones: for tests. */
  readonly extraAuthorities?: string;
}

/** A public resolver over HTTPS (RFC 8484). */
export interface DohResolver {
  readonly name: string;
  readonly url: string;
  /** Where it is when the name servers do not know its host. */
  readonly addresses: readonly string[];
}

/** How long things take between us and the nodes, in ms; tests have less patience. */
export interface NodeTimes {
  /** Between two pings; the answer to one is due at the next. */
  readonly heartbeatMs: number;
  /** From the connection to the end of the self-test. */
  readonly readyMs: number;
  /** Until a job is acknowledged. */
  readonly ackMs: number;
  /** Until it is answered (ruling 34). */
  readonly answerMs: number;
  /** `last_seen` is written down no more often. */
  readonly seenMs: number;
  /** A node counts as online so long after the last heartbeat that Redis heard of. */
  readonly presenceMs: number;
  /** How often each process looks who is online, besides when it is told. */
  readonly pollMs: number;
  /** What was seen is shown so long while Redis does not answer. */
  readonly staleMs: number;
}

/** A server to connect to. */
export type RedisAddress = { readonly url: string } | { readonly socketPath: string };
