import { parseHostName } from '../../targets/host-name.js';
import { fieldOf, listOf, textOf } from './untrusted-json.js';

/**
 * Where a registry says that the registrar's answer is: its first link to RDAP that is related (RFC 9083 §4.2), on
 * another host, by https. A port is taken only where the registry itself has one: in tests. Absent without one.
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

/** The host is looked at before the text comes near the URL parser (ruling 16). */
function parseLink(text: string, allowPort: boolean): URL | undefined {
  const [, host = '', port, path = ''] = LINK.exec(text) ?? [];
  const name = parseHostName(host);
  if (name === undefined || (port !== undefined && (!allowPort || Number(port) > 65_535))) return undefined;
  return new URL(`https://${name}${port === undefined ? '' : `:${port}`}${path}`);
}

/** Host, port, and path with query; escapes are left as they are. */
const LINK = /^https:\/\/([A-Za-z0-9.-]+)(?::(\d{1,5}))?(\/[\w.~!$&'()*+,;=:@/%?-]*)?$/i;
