import { fieldOf, listOf, textOf } from './untrusted-json.js';
import { parseHostName } from '../../targets/host-name.js';

/**
 * Parses a base URL of a bootstrap file: http or https with a public host name, without user and query, and without a
 * port unless `allowPorts` (for tests). The result ends in `/` (RFC 9224 §3). Absent for any other text.
 */
export function parseBaseUrl(text: string, allowPorts: boolean): URL | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const [, scheme = '', host = '', port, path = ''] = BASE_URL.exec(text) ?? [];
  const name = parseHostName(host);
  if (name === undefined || (port !== undefined && (!allowPorts || Number(port) > 65_535))) return undefined;
  const authority = port === undefined ? name : `${name}:${port}`;
  return new URL(`${scheme.toLowerCase()}://${authority}${path}${path.endsWith('/') ? '' : '/'}`);
}

/**
 * Returns the URL of the registrar's answer: the first related RDAP link (RFC 9083 §4.2) to another host by https. A
 * port is only allowed if the domain registry's URL has one, as in tests. Absent without such a link.
 */
export function registrarUrlOf(object: unknown, from: URL): URL | undefined {
  for (const link of listOf(fieldOf(object, 'links'))) {
    const isRelated = textOf(fieldOf(link, 'rel')).toLowerCase() === 'related';
    const [type = ''] = textOf(fieldOf(link, 'type')).toLowerCase().split(';');
    if (!isRelated || type.trim() !== 'application/rdap+json') continue;
    const url = parseLink(textOf(fieldOf(link, 'href')), from.port !== '');
    if (url && url.hostname !== from.hostname) return url;
  }
  return undefined;
}

/** Checks the host before the text reaches the URL parser, which normalises hosts (decision 16). */
function parseLink(text: string, allowPort: boolean): URL | undefined {
  const [, host = '', port, path = ''] = LINK.exec(text) ?? [];
  const name = parseHostName(host);
  if (name === undefined || (port !== undefined && (!allowPort || Number(port) > 65_535))) return undefined;
  return new URL(`https://${name}${port === undefined ? '' : `:${port}`}${path}`);
}

/** Host, port, and path with query. Percent escapes stay as they are. */
const LINK = /^https:\/\/([A-Za-z0-9.-]+)(?::(\d{1,5}))?(\/[\w.~!$&'()*+,;=:@/%?-]*)?$/i;

const MAX_LENGTH = 500;

/** Scheme, host, port and path. The path has the characters of RFC 3986 §3.3 without percent escapes. */
const BASE_URL = /^(https?):\/\/([A-Za-z0-9.-]+)(?::(\d{1,5}))?((?:\/[\w.~!$&'()*+,;=:@-]*)*)$/i;
