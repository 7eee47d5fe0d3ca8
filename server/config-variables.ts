/**
 * An environment variable. A test compares the guides' tables and `--help` with these fields. A variable has either a
 * `default`, as a person would write it, or `unset`, which describes what applies when it is not set.
 */
export interface Variable {
  /** What it sets. */
  readonly meaning: string;
  /** The values it accepts, as error messages and tables show them. */
  readonly allowed: string;
  readonly default?: string;
  /** Whether an empty text is a value of its own, not the default. */
  readonly mayBeEmpty?: true;
  readonly unset?: string;
}

/** The variables of the server. `parseConfig` reads all of them except OUTPUT. */
export const VARIABLES = {
  PORT: { meaning: 'port of the API; 0 takes a free port', allowed: '0-65535', default: '8080' },
  HOST: {
    meaning: 'address the API listens on',
    allowed: 'an address or a host name',
    unset: 'all addresses',
  },
  METRICS_PORT: {
    meaning: 'port of /metrics for Prometheus; 0 takes a free port',
    allowed: '0-65535',
    default: '9464',
  },
  METRICS_HOST: {
    meaning: 'address /metrics listens on',
    allowed: 'an address or a host name',
    default: '127.0.0.1',
  },
  OUTPUT: {
    meaning: 'folder of the releases; the current one is served. OUTPUT_DIR is a second name',
    allowed: 'a folder',
    unset: 'output/ in the project',
  },
  REDIS_URL: {
    meaning: 'Redis for accounts, limits and usage',
    allowed: 'a redis: or rediss: URL',
    unset: 'a private server in OUTPUT/accounts',
  },
  REDIS_URLS: {
    meaning:
      'servers of a Redis Cluster for accounts, limits and usage, in place of REDIS_URL; the others are found through them',
    allowed: 'redis: or rediss: URLs with one user and password, comma-separated',
    unset: 'REDIS_URL is used',
  },
  TRUSTED_PROXIES: {
    meaning: 'proxies that may set X-Forwarded-For',
    allowed: 'addresses or CIDR blocks, comma-separated',
    unset: 'none',
  },
  MAX_CONNECTIONS: {
    meaning: 'open connections of all processes together; further ones replace idle ones, else are refused',
    allowed: '1-1000000',
    default: '10000',
  },
  MAX_CONNECTIONS_PER_SOURCE: {
    meaning: 'open connections of an IPv4 address or an IPv6 /64; trusted proxies have no limit',
    allowed: '1-1000000',
    default: '512',
  },
  SERVER_TZ: {
    meaning: 'time zone in which days and months begin',
    allowed: 'an IANA time zone such as Asia/Shanghai',
    default: 'UTC',
  },
  DNS_SERVERS: {
    meaning: 'DNS servers for all lookups; the first two are used. Use public resolvers in production',
    allowed: 'address or address:port, comma-separated',
    unset: "the system's DNS servers",
  },
  EGRESS_DENY: {
    meaning: 'networks that callers cannot reach through the server, besides all non-public space',
    allowed: 'addresses or CIDR blocks, comma-separated',
    unset: 'none',
  },
  PROBE_DENY_PORTS: {
    meaning: 'ports that callers cannot probe, from the server or from nodes',
    allowed: 'ports 1-65535, comma-separated; empty for none',
    default: '25,465,587',
    mayBeEmpty: true,
  },
  ALLOW_LOOPBACK: {
    meaning: 'lets callers reach 127.0.0.0/8 and ::1; for development only',
    allowed: 'true or false',
    default: 'false',
  },
  PAGES: {
    meaning: 'pages for browsers: /, /lookup, /global-dns, /status, /docs; the API does not change',
    allowed: 'on or off',
    default: 'on',
  },
  STATUS_REPORT: {
    meaning:
      'the report of the current release at /status/report, for all visitors; it quotes rows of all sources, also of closed ones',
    allowed: 'on or off',
    default: 'off',
  },
  DNS_WORKER_URL: {
    meaning: 'edge worker that asks public resolvers for the server',
    allowed: 'an https: URL',
    unset: 'none',
  },
  DNS_WORKER_SECRET: {
    meaning: 'key that signs requests to the edge worker',
    allowed: '16 characters or more',
    unset: 'none',
  },
  RELEASE_POLL_MS: {
    meaning: 'how often the server checks for a new release, in milliseconds',
    allowed: '50-86400000',
    default: '3000',
  },
  STORE: {
    meaning:
      'store whose current release is brought to OUTPUT and served, unless a build has run in OUTPUT, see pipeline/store/README.md',
    allowed: 's3://bucket, s3://bucket/prefix or file:folder',
    unset: 'none: only OUTPUT is served',
  },
  STORE_PATH_STYLE: {
    meaning: 'whether requests to the bucket name it in their path, instead of in the host name',
    allowed: 'yes or no',
    unset: 'yes with AWS_ENDPOINT_URL, otherwise no',
  },
  STORE_POLL_MS: {
    meaning: 'how often the server checks the STORE for another current release, in milliseconds',
    allowed: '50-86400000',
    default: '60000',
  },
  KEEP_RELEASES: {
    meaning: 'releases to keep in OUTPUT when they come from the STORE',
    allowed: '1-999',
    default: '7',
  },
  LOG_LEVEL: {
    meaning: 'least severe log level that is written',
    allowed: 'debug, info, warn, error or silent',
    default: 'info',
  },
  WORKERS: { meaning: 'number of server processes', allowed: '1-1024', default: '1' },
} as const satisfies Readonly<Record<string, Variable>>;
