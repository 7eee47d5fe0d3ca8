/** One entry of an RDAP bootstrap file. The URLs are base URLs of alternative servers for all of the keys. */
export interface RdapService {
  /** Top-level domains, prefixes or ranges of AS numbers. */
  readonly keys: readonly string[];
  readonly urls: readonly string[];
}

/** Thrown when a text is not an RDAP bootstrap file. */
export class RdapBootstrapError extends Error {
  override readonly name = 'RdapBootstrapError';
}

/**
 * Reads one of IANA's RDAP bootstrap files (https://data.iana.org/rdap/; RFC 9224 §3), `{services: [[keys, urls], …]}`.
 * Skips entries that do not have this shape. Returns keys and URLs unchanged. Throws RdapBootstrapError when the text
 * is not JSON or contains no entry.
 */
export function parseRdapBootstrap(text: string): readonly RdapService[] {
  const services = listOf(propertyOf(parseJson(text), 'services')).flatMap(readService);
  if (services.length === 0) throw new RdapBootstrapError('no RDAP service in "services"');
  return services;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new RdapBootstrapError('not JSON', { cause });
  }
}

function readService(service: unknown): RdapService[] {
  const [keys, urls] = listOf(service).map(textsOf);
  if (!keys || !urls || keys.length === 0 || urls.length === 0) return [];
  return [{ keys, urls }];
}

function textsOf(value: unknown): string[] {
  return listOf(value).filter((entry) => typeof entry === 'string');
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function propertyOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}
