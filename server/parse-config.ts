import { isIP } from 'node:net';
import { z } from 'zod';
import type { ServerConfig, Upstreams } from './config.js';
import { VARIABLES } from './config-variables.js';
import { DOH_RESOLVERS } from './global-dns/doh-resolvers.js';

/** A variable of the environment, or an option in its place, that makes no sense; the message is one line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** All that the environment says; where the Redis and files of registries are is known to who starts the server. */
export type Settings = Omit<ServerConfig, 'redis' | 'registryDir' | 'rdapDirs'>;

/** Options of the command line; they come before the environment. */
export interface ServeFlags {
  readonly port?: string;
  readonly workers?: string;
}

/** Settings of the server. `read` gives a variable's text. Throws ConfigError. */
export function parseConfig(
  read: (name: string) => string | undefined,
  outputDir: string,
  flags: ServeFlags = {},
): Settings {
  const told: Record<string, string> = {};
  for (const name of Object.keys(VARIABLES)) {
    const text = read(name)?.trim();
    if (text !== undefined && text !== '') told[name] = text;
  }
  if (flags.port !== undefined) told['PORT'] = flags.port;
  if (flags.workers !== undefined) told['WORKERS'] = flags.workers;
  const parsed = environmentSchema.safeParse(told);
  if (!parsed.success) throw new ConfigError(describe(parsed.error, told));
  const { HOST: host, ...rest } = parsed.data;
  return {
    ...(host === undefined ? {} : { host }),
    port: rest.PORT,
    metricsHost: rest.METRICS_HOST,
    metricsPort: rest.METRICS_PORT,
    trustedProxies: rest.TRUSTED_PROXIES,
    timeZone: rest.SERVER_TZ,
    outputDir,
    workers: rest.WORKERS,
    dnsServers: rest.DNS_SERVERS,
    egressDeny: rest.EGRESS_DENY,
    allowLoopback: rest.ALLOW_LOOPBACK === 'true',
    upstreams: upstreamsOf(rest.DNS_WORKER_URL, rest.DNS_WORKER_SECRET),
    releasePollMs: rest.RELEASE_POLL_MS,
    logLevel: rest.LOG_LEVEL,
  };
}

/** The public internet's, and the edge worker where there is one. */
function upstreamsOf(url: string | undefined, secret: string | undefined): Upstreams {
  const isWhole = (url === undefined) === (secret === undefined);
  if (!isWhole) throw new ConfigError('DNS_WORKER_URL and DNS_WORKER_SECRET go together: set both or none');
  return {
    whoisRoot: 'whois.iana.org',
    whoisPort: 43,
    dohResolvers: DOH_RESOLVERS,
    ...(url === undefined || secret === undefined ? {} : { dnsWorker: { url, secret } }),
  };
}

const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .refine((value) => value >= least && value <= most);
const port = wholeNumber(0, 65_535);

const list = z.string().transform((text) => text.split(',').map((entry) => entry.trim()));

const environmentSchema = z.object({
  PORT: port.default(8080),
  HOST: z.string().exactOptional(),
  METRICS_PORT: port.default(9464),
  METRICS_HOST: z.string().default('127.0.0.1'),
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).exactOptional(),
  TRUSTED_PROXIES: list.refine((blocks) => blocks.every(isBlock)).default([]),
  SERVER_TZ: z.string().refine(isTimeZone).default('UTC'),
  DNS_SERVERS: list.refine((servers) => servers.every(isDnsServer)).default([]),
  EGRESS_DENY: list.refine((blocks) => blocks.every(isBlock)).default([]),
  ALLOW_LOOPBACK: z.enum(['true', 'false']).default('false'),
  DNS_WORKER_URL: z.url({ protocol: /^https$/ }).exactOptional(),
  DNS_WORKER_SECRET: z.string().min(16).exactOptional(),
  RELEASE_POLL_MS: wholeNumber(50, 86_400_000).default(3000),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  WORKERS: wholeNumber(1, 1024).default(1),
});

/** `PORT "http" makes no sense: where the server listens; 8080 by default` */
function describe(error: z.ZodError, told: Record<string, string>): string {
  const name = String(error.issues[0]!.path[0]);
  // They hold, or may hold, a password.
  const value = name === 'REDIS_URL' || name === 'DNS_WORKER_SECRET' ? '' : ` "${told[name] ?? ''}"`;
  return `${name}${value} makes no sense: ${VARIABLES[name as keyof typeof VARIABLES]}`;
}

/** `192.0.2.0/24`, `2001:db8::/32`, or an address alone. */
function isBlock(text: string): boolean {
  const [address = '', length, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= (family === 4 ? 32 : 128));
}

/** As node:dns takes them: a port behind an IPv6 address needs brackets. */
function isDnsServer(text: string): boolean {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+|[^.]+?))(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (isIP(text) !== 0) return true;
  return isIP(bracketed ?? plain ?? '') !== 0 && (port === undefined || Number(port) <= 65_535);
}

function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return /^[A-Za-z]/.test(text);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
