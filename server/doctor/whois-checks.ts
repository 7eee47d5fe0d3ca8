import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { parseRdapBootstrap, RdapBootstrapError } from '../../pipeline/net/rdap-bootstrap.js';
import type { ServerConfig } from '../config.js';
import { leftOf, type Deadline } from '../deadline.js';
import type { HttpClient } from '../egress/http-client.js';
import type { PublicHosts } from '../egress/public-hosts.js';
import { UpstreamError } from '../upstream-error.js';
import { parseBaseUrl } from '../whois/rdap/server-urls.js';
import type { Check } from './check.js';

/** Checks that each RDAP server of the bootstrap files answers a `help` query (RFC 9082 §3.1.6). */
export async function rdapChecks(
  http: Pick<HttpClient, 'request'>,
  { rdapDirs, allowLoopback }: Pick<ServerConfig, 'rdapDirs' | 'allowLoopback'>,
): Promise<readonly Check[]> {
  const files = await Promise.all(FILES.map((name) => firstValid(rdapDirs, name)));
  const urls = files.flat().flatMap((url) => parseBaseUrl(url, allowLoopback) ?? []);
  const servers = new Map(urls.map((url) => [url.host, url]));
  return [...servers].map(([host, url]) => ({
    group: 'RDAP servers',
    name: host,
    run: (deadline) => askHelp(http, url, deadline),
  }));
}

/** Checks that the root whois server accepts connections. */
export function whoisCheck(
  hosts: Pick<PublicHosts, 'require'>,
  { whoisRoot, whoisPort }: { readonly whoisRoot: string; readonly whoisPort: number },
): Check {
  return {
    group: 'Whois',
    name: `${whoisRoot} port ${whoisPort}`,
    run: async (deadline) => {
      const [address] = await hosts.require({ kind: 'host', name: whoisRoot }, deadline);
      await connectOnce(address, whoisPort, deadline);
      return `accepts connections at ${address}`;
    },
  };
}

const FILES = ['dns.json', 'ipv4.json', 'ipv6.json', 'asn.json'] as const;
const MAX_BYTES = 1_000_000;

/** Returns the first base URL of each service, from the first folder with a valid file. */
async function firstValid(dirs: readonly string[], name: string): Promise<readonly string[]> {
  for (const dir of dirs) {
    try {
      const services = parseRdapBootstrap(await readFile(join(dir, name), 'utf8'));
      return services.flatMap(({ urls }) => urls.slice(0, 1));
    } catch (error) {
      const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      if (!isMissing && !(error instanceof RdapBootstrapError)) throw error;
    }
  }
  return [];
}

async function askHelp(http: Pick<HttpClient, 'request'>, base: URL, deadline: Deadline): Promise<string> {
  const { status, httpVersion } = await http.request({
    url: new URL('help', base),
    headers: { accept: 'application/rdap+json, application/json;q=0.9' },
    maxBytes: MAX_BYTES,
    deadline,
    maxRedirects: 4,
    allowPlainHttp: base.protocol === 'http:',
  });
  if (status >= 500 || status === 429) throw new UpstreamError('failed', `returned HTTP ${status}`);
  // Many servers have no help page. Any other HTTP status shows that the server works.
  return `returned HTTP ${status} over HTTP/${httpVersion}`;
}

async function connectOnce(host: string, port: number, deadline: Deadline): Promise<void> {
  const socket = connect({ host, port, autoSelectFamily: false });
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(() => {
        reject(new UpstreamError('timeout', `${host}: connection not established in time`));
      }, leftOf(deadline));
      socket.once('connect', resolve).on('error', (cause) => {
        reject(new UpstreamError('unreachable', cause.message, { cause }));
      });
    });
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}
