/** Some names, prefixes or ranges, and the base URLs of the servers that know them: alternatives of one another. */
export interface RdapService {
  readonly keys: readonly string[];
  readonly urls: readonly string[];
}

/** The text is no RDAP bootstrap file. */
export class RdapBootstrapError extends Error {
  override readonly name = 'RdapBootstrapError';
}

/**
 * Reads one of IANA's RDAP bootstrap files (https://data.iana.org/rdap/; RFC 9224 §3), `{services: [[keys, urls], …]}`.
 * What in it is no text or no service is left out; keys and URLs are as they stand. Throws RdapBootstrapError for what
 * is something else as a whole, or has no service.
 */
export function parseRdapBootstrap(text: string): readonly RdapService[] {
  const services = listOf(propertyOf(parseJson(text), 'services')).flatMap(readService);
  if (services.length === 0) throw new RdapBootstrapError('there are no services in it');
  return services;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new RdapBootstrapError('it is no JSON', { cause });
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
