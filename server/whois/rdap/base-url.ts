import { parseHostName } from '../../targets/host-name.js';

/**
 * The URL of a bootstrap file that is fit to be asked: http or https, a public host name, no user, no query, and no
 * port unless `allowPorts` (for tests). It ends in `/` (RFC 9224 §3). Absent for every other text.
 */
export function parseBaseUrl(text: string, allowPorts: boolean): URL | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const [, scheme = '', host = '', port, path = ''] = BASE_URL.exec(text) ?? [];
  const name = parseHostName(host);
  if (name === undefined || (port !== undefined && (!allowPorts || Number(port) > 65_535))) return undefined;
  const authority = port === undefined ? name : `${name}:${port}`;
  return new URL(`${scheme.toLowerCase()}://${authority}${path}${path.endsWith('/') ? '' : '/'}`);
}

const MAX_LENGTH = 500;

/** Scheme, host, port and path; characters of RFC 3986 §3.3 without percent escapes. */
const BASE_URL = /^(https?):\/\/([A-Za-z0-9.-]+)(?::(\d{1,5}))?((?:\/[\w.~!$&'()*+,;=:@-]*)*)$/i;
