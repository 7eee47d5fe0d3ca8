/** Variables that `parseConfig` reads, with what they mean, for the help. */
export const VARIABLES = {
  PORT: 'where the server listens; 8080 by default',
  HOST: 'the address it listens on; all by default',
  METRICS_PORT: 'Prometheus; 9464 by default',
  METRICS_HOST: '127.0.0.1 by default',
  REDIS_URL: 'redis: or rediss: URL of accounts and meters; a private one by default',
  TRUSTED_PROXIES:
    'CIDR blocks, with commas between, of proxies whose X-Forwarded-For is believed; none by default',
  SERVER_TZ: 'IANA time zone of days and months; UTC by default',
  DNS_SERVERS: 'address or address:port, with commas between; those of the system by default',
  RELEASE_POLL_MS: 'how often output/current is looked at; 3000 by default',
  LOG_LEVEL: 'debug, info, warn, error or silent; info by default',
  WORKERS: 'processes; 1 by default',
} as const;
