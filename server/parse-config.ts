import { isIP } from 'node:net';
import { z } from 'zod';
import { ADDRESS_VARIABLES, parseStoreAddress, StoreAddressError } from '../pipeline/store/store-address.js';
import type { ServerConfig, Upstreams } from './config.js';
import { VARIABLES, type Variable } from './config-variables.js';
import { DOH_RESOLVERS } from './global-dns/doh-resolvers.js';

/** An environment variable, or the option that replaces it, has an invalid value. The message is one line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** The settings that come from the environment. The caller adds its Redis and the folders of registry files. */
export type Settings = Omit<ServerConfig, 'redis' | 'registryDir' | 'rdapDirs'>;

/** The Redis of accounts and meters as the environment names it; neither for the private server. */
export interface RedisSettings {
  /** REDIS_URL */
  readonly redisUrl?: string;
  /** REDIS_URLS: servers of a cluster. */
  readonly redisUrls?: readonly string[];
}

/** Options of the command line. They take precedence over the environment. */
export interface ServeFlags {
  readonly port?: string;
  readonly workers?: string;
}

/** Returns the server's settings. `read` returns a variable's text. Throws ConfigError. */
export function parseConfig(
  read: (name: string) => string | undefined,
  outputDir: string,
  flags: ServeFlags = {},
): Settings {
  const texts = readVariables(read, flags);
  const parsed = environmentSchema.safeParse(texts);
  if (!parsed.success) throw new ConfigError(describe(parsed.error, texts));
  parseRedis(read);
  const { HOST: host, ...rest } = parsed.data;
  return {
    ...(host === undefined ? {} : { host }),
    port: rest.PORT,
    metricsHost: rest.METRICS_HOST,
    metricsPort: rest.METRICS_PORT,
    trustedProxies: rest.TRUSTED_PROXIES,
    maxConnections: rest.MAX_CONNECTIONS,
    maxConnectionsPerSource: rest.MAX_CONNECTIONS_PER_SOURCE,
    timeZone: rest.SERVER_TZ,
    outputDir,
    workers: rest.WORKERS,
    dnsServers: rest.DNS_SERVERS,
    egressDeny: rest.EGRESS_DENY,
    probeDenyPorts: rest.PROBE_DENY_PORTS,
    allowLoopback: rest.ALLOW_LOOPBACK === 'true',
    hasPages: rest.PAGES === 'on',
    hasReport: rest.STATUS_REPORT === 'on',
    upstreams: upstreamsOf(rest.DNS_WORKER_URL, rest.DNS_WORKER_SECRET),
    releasePollMs: rest.RELEASE_POLL_MS,
    ...storeOf(read),
    storePollMs: rest.STORE_POLL_MS,
    keepReleases: rest.KEEP_RELEASES,
    logLevel: rest.LOG_LEVEL,
  };
}

/** Returns the store that STORE and the variables of its service name. */
function storeOf(read: (name: string) => string | undefined): Pick<Settings, 'store'> {
  try {
    const store = parseStoreAddress(
      Object.fromEntries(ADDRESS_VARIABLES.map((name) => [name, read(name)?.trim()])),
    );
    return store ? { store } : {};
  } catch (error) {
    if (error instanceof StoreAddressError) throw new ConfigError(error.message);
    throw error;
  }
}

/** Returns the Redis of accounts and meters. Throws ConfigError. */
export function parseRedis(read: (name: string) => string | undefined): RedisSettings {
  const texts = readVariables(read, {});
  const parsed = redisSchema.safeParse(texts);
  if (!parsed.success) throw new ConfigError(describe(parsed.error, texts));
  const { REDIS_URL: redisUrl, REDIS_URLS: redisUrls } = parsed.data;
  if (redisUrl !== undefined && redisUrls !== undefined)
    throw new ConfigError(
      'REDIS_URL and REDIS_URLS are both set: expected REDIS_URL for one server, or REDIS_URLS for a cluster',
    );
  return { ...(redisUrl !== undefined && { redisUrl }), ...(redisUrls !== undefined && { redisUrls }) };
}

/** The text of each variable: the option, else the environment, else its default. Unset variables are left out. */
function readVariables(
  read: (name: string) => string | undefined,
  flags: ServeFlags,
): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, variable] of Object.entries<Variable>(VARIABLES)) {
    const set = read(name)?.trim();
    const text = set === '' && variable.mayBeEmpty === true ? set : set || variable.default;
    if (text !== undefined) texts[name] = text;
  }
  if (flags.port !== undefined) texts['PORT'] = flags.port;
  if (flags.workers !== undefined) texts['WORKERS'] = flags.workers;
  return texts;
}

/** Returns the public upstream servers, and the edge worker if one is configured. */
function upstreamsOf(url: string | undefined, secret: string | undefined): Upstreams {
  const areBothOrNone = (url === undefined) === (secret === undefined);
  if (!areBothOrNone)
    throw new ConfigError('DNS_WORKER_URL and DNS_WORKER_SECRET must both be set or both be unset');
  return {
    whoisRoot: 'whois.iana.org',
    whoisPort: 43,
    dohResolvers: DOH_RESOLVERS,
    ...(url === undefined || secret === undefined ? {} : { dnsWorker: { url, secret } }),
  };
}

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .refine((value) => value >= min && value <= max);
const port = wholeNumber(0, 65_535);

const list = z.string().transform((text) => text.split(',').map((entry) => entry.trim()));

const redisUrl = z.url({ protocol: /^rediss?$/ });
const redisSchema = z.object({
  REDIS_URL: redisUrl.exactOptional(),
  REDIS_URLS: list.pipe(z.array(redisUrl)).refine(areOneCluster).exactOptional(),
});

const environmentSchema = z.object({
  PORT: port,
  HOST: z.string().exactOptional(),
  METRICS_PORT: port,
  METRICS_HOST: z.string(),
  TRUSTED_PROXIES: list.refine((blocks) => blocks.every(isBlock)).default([]),
  MAX_CONNECTIONS: wholeNumber(1, 1_000_000),
  MAX_CONNECTIONS_PER_SOURCE: wholeNumber(1, 1_000_000),
  SERVER_TZ: z.string().refine(isTimeZone),
  DNS_SERVERS: list.refine((servers) => servers.every(isDnsServer)).default([]),
  EGRESS_DENY: list.refine((blocks) => blocks.every(isBlock)).default([]),
  PROBE_DENY_PORTS: z
    .string()
    .transform((text) => (text === '' ? [] : text.split(',').map((entry) => entry.trim())))
    .pipe(z.array(wholeNumber(1, 65_535))),
  ALLOW_LOOPBACK: z.enum(['true', 'false']),
  PAGES: z.enum(['on', 'off']),
  STATUS_REPORT: z.enum(['on', 'off']),
  DNS_WORKER_URL: z.url({ protocol: /^https$/ }).exactOptional(),
  DNS_WORKER_SECRET: z.string().min(16).exactOptional(),
  RELEASE_POLL_MS: wholeNumber(50, 86_400_000),
  STORE_POLL_MS: wholeNumber(50, 86_400_000),
  KEEP_RELEASES: wholeNumber(1, 999),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']),
  WORKERS: wholeNumber(1, 1024),
});

/** Variables whose values are secret or may contain a password. */
const SECRET: readonly string[] = ['REDIS_URL', 'REDIS_URLS', 'DNS_WORKER_SECRET'];

/** `invalid PORT "http": expected 0-65535` */
function describe(error: z.ZodError, texts: Record<string, string>): string {
  const name = String(error.issues[0]!.path[0]);
  const value = SECRET.includes(name) ? '' : ` "${texts[name] ?? ''}"`;
  return `invalid ${name}${value}: expected ${VARIABLES[name as keyof typeof VARIABLES].allowed}`;
}

/** Whether URLs have the same protocol, user and password, and no database: a cluster has one. */
function areOneCluster(urls: readonly string[]): boolean {
  if (!urls.every((url) => URL.canParse(url))) return false;
  const parsed = urls.map((url) => new URL(url));
  const ways = parsed.map(({ protocol, username, password }) =>
    JSON.stringify([protocol, username, password]),
  );
  return (
    new Set(ways).size === 1 &&
    parsed.every(({ hostname, pathname }) => hostname !== '' && /^\/?$/.test(pathname))
  );
}

/** Whether a text is a CIDR block such as `192.0.2.0/24`, or a single address. */
function isBlock(text: string): boolean {
  const [address = '', length, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= (family === 4 ? 32 : 128));
}

/** Whether a text is `address` or `address:port`. An IPv6 address with a port needs brackets. */
function isDnsServer(text: string): boolean {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+|[^.]+?))(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (isIP(text) !== 0) return true;
  return isIP(bracketed ?? plain ?? '') !== 0 && (port === undefined || Number(port) <= 65_535);
}

/** Whether a text is an IANA time zone. Offsets such as `+01:00`, which Intl also accepts, are not. */
function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return /^[A-Za-z]/.test(text);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
