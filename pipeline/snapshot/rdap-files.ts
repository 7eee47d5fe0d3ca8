import { parseRdapBootstrap, RdapBootstrapError } from '../net/rdap-bootstrap.js';
import type { PublishedFile } from '../input/published-source.js';

/** Folder of the bootstrap files in the downloads, and their name for `fetch --only`. Builds do not read them. */
export const RDAP_FOLDER = 'rdap';

/** IANA's RDAP bootstrap files (RFC 9224). Only the server reads them. */
export const RDAP_FILES: readonly PublishedFile[] = [
  bootstrapFile('dns', { minBytes: 20_000, minKeys: 900 }),
  bootstrapFile('ipv4', { minBytes: 2_000, minKeys: 200 }),
  bootstrapFile('ipv6', { minBytes: 500, minKeys: 25 }),
  bootstrapFile('asn', { minBytes: 1_500, minKeys: 120 }),
];

/** Lower bounds, slightly below the values of 2026: top-level domains disappear, but not hundreds at once. */
interface Least {
  readonly minBytes: number;
  readonly minKeys: number;
}

function bootstrapFile(registry: string, { minBytes, minKeys }: Least): PublishedFile {
  const name = `${registry}.json`;
  const download = {
    url: `https://data.iana.org/rdap/${name}`,
    minBytes,
    maxBytes: 1_000_000,
    refuse: (text: string) => describeProblem(text, minKeys),
  };
  return { folder: RDAP_FOLDER, name, container: 'plain', required: false, take: 'all', download };
}

function describeProblem(text: string, minKeys: number): string | undefined {
  try {
    const keys = parseRdapBootstrap(text).reduce((count, service) => count + service.keys.length, 0);
    return keys < minKeys ? `${keys} keys: expected at least ${minKeys}` : undefined;
  } catch (error) {
    if (error instanceof RdapBootstrapError) return error.message;
    throw error;
  }
}
