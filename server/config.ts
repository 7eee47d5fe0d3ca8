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
  readonly workers: number;
  /** DNS servers as `address` or `address:port`; of the system when empty. */
  readonly dnsServers: readonly string[];
  /** How often `output/current` is looked at. */
  readonly releasePollMs: number;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
}

/** A server to connect to. */
export type RedisAddress = { readonly url: string } | { readonly socketPath: string };
