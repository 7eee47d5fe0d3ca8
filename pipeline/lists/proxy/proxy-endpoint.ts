/**
 * Returns the host of a proxy in the formats of lists: `host:port`, `scheme://host:port`, `user:password@host:port`,
 * `[v6]:port`. Returns undefined without a port: a truncated address could be another address.
 */
export function endpointHost(text: string): string | undefined {
  const scheme = text.indexOf('://');
  const user = text.lastIndexOf('@');
  const from = user >= 0 ? user + 1 : scheme >= 0 ? scheme + 3 : 0;
  const to = text.endsWith('/') ? text.length - 1 : text.length;
  const colon = text.lastIndexOf(':', to - 1);
  if (colon <= from || !isPort(text, colon + 1, to)) return undefined;
  if (text[from] === '[') return text[colon - 1] === ']' ? text.slice(from + 1, colon - 1) : undefined;
  const host = text.slice(from, colon);
  return host.includes(':') ? undefined : host;
}

/** Removes user name and password from an endpoint, for messages. */
export function withoutUser(text: string): string {
  return text.slice(text.lastIndexOf('@') + 1);
}

const MAX_PORT = 65_535;

function isPort(text: string, from: number, to: number): boolean {
  if (to <= from || to > from + 5) return false;
  let port = 0;
  for (let i = from; i < to; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return false;
    port = port * 10 + digit;
  }
  return port > 0 && port <= MAX_PORT;
}
