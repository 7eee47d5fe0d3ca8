import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { parseRdapBootstrap, RdapBootstrapError } from '../../pipeline/net/rdap-bootstrap.js';
import type { ServerConfig } from '../config.js';
import { leftOf, type Deadline } from '../deadline.js';
import type { HttpClient } from '../egress/http-client.js';
import type { PublicHosts } from '../egress/public-hosts.js';
import { UpstreamError } from '../upstream-error.js';
import { parseBaseUrl } from '../whois/rdap/base-url.js';
import type { Check } from './check.js';

/** Whether the RDAP servers of the bootstrap files answer a `help` query (RFC 9082 §3.1.6), one per host and port. */
export async function rdapChecks(
  http: Pick<HttpClient, 'request'>,
  { rdapDirs, allowLoopback }: Pick<ServerConfig, 'rdapDirs' | 'allowLoopback'>,
): Promise<readonly Check[]> {
  const files = await Promise.all(FILES.map((name) => firstGood(rdapDirs, name)));
  const urls = files.flat().flatMap((url) => parseBaseUrl(url, allowLoopback) ?? []);
  const servers = new Map(urls.map((url) => [url.host, url]));
  return [...servers].map(([host, url]) => ({
    group: 'RDAP servers',
    name: host,
    run: (deadline) => askHelp(http, url, deadline),
  }));
}

/** Whether the root of port-43 whois lets us connect. */
export function whoisCheck(
  hosts: Pick<PublicHosts, 'require'>,
  { whoisRoot, whoisPort }: { readonly whoisRoot: string; readonly whoisPort: number },
): Check {
  return {
    group: 'Whois',
    name: `${whoisRoot} port ${whoisPort}`,
    run: async (deadline) => {
      const [address] = await hosts.require({ kind: 'host', name: whoisRoot }, deadline);
      await knock(address, whoisPort, deadline);
      return `takes connections at ${address}`;
    },
  };
}

const FILES = ['dns.json', 'ipv4.json', 'ipv6.json', 'asn.json'] as const;
const MAX_BYTES = 1_000_000;

/** The first base URL of every service in a file, of the first folder that has a good one. */
async function firstGood(dirs: readonly string[], name: string): Promise<readonly string[]> {
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
  if (status >= 500 || status === 429) throw new UpstreamError('failed', `it answers HTTP ${status}`);
  // Many have no help; that they say so over HTTP is enough.
  return `answers HTTP ${status} over HTTP/${httpVersion}`;
}

async function knock(host: string, port: number, deadline: Deadline): Promise<void> {
  const socket = connect({ host, port, autoSelectFamily: false });
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(() => {
        reject(new UpstreamError('timeout', `${host} does not answer`));
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
