/** Variables of the server, with what they mean and may be; all but OUTPUT are read by `parseConfig`. */
export const VARIABLES = {
  PORT: 'port it listens on, 0 to 65535, 0 takes a free one; 8080 by default',
  HOST: 'address or host name it listens on; all addresses by default',
  METRICS_PORT: 'port for Prometheus, 0 to 65535; 9464 by default',
  METRICS_HOST: 'address for Prometheus; 127.0.0.1 by default',
  OUTPUT: 'folder whose current release is served; output/ in the project by default',
  REDIS_URL: 'redis: or rediss: URL of accounts and meters; a private one in OUTPUT/accounts by default',
  TRUSTED_PROXIES:
    'CIDR blocks, with commas between, of proxies whose X-Forwarded-For is believed; none by default',
  SERVER_TZ: 'IANA time zone of days and months, such as Asia/Shanghai; UTC by default',
  DNS_SERVERS: 'address or address:port, with commas between; those of the system by default',
  EGRESS_DENY: 'CIDR blocks, with commas between, that callers never reach through us; none by default',
  ALLOW_LOOPBACK: 'true lets callers reach 127.0.0.0/8 and ::1, for development; false by default',
  DNS_WORKER_URL: 'https: URL of an edge worker that resolves where it runs; none by default',
  DNS_WORKER_SECRET: 'what requests to that worker are signed with, 16 characters at least',
  RELEASE_POLL_MS: 'how often OUTPUT/current is looked at, 50 to 86400000 ms; 3000 by default',
  LOG_LEVEL: 'debug, info, warn, error or silent; info by default',
  WORKERS: 'processes, 1 to 1024; 1 by default',
} as const;
