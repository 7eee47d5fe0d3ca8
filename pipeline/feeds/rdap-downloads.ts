import { parseRdapBootstrap, RdapBootstrapError } from '../net/rdap-bootstrap.js';
import type { FeedFile } from './feed.js';

/** Folder of the bootstrap files below the downloads, and what `fetch --only` calls them: no build reads them. */
export const RDAP_FOLDER = 'rdap';

/** IANA's RDAP bootstrap files (RFC 9224), which the server reads. */
export const RDAP_FILES: readonly FeedFile[] = [
  bootstrapFile('dns', { minBytes: 20_000, minKeys: 900 }),
  bootstrapFile('ipv4', { minBytes: 2_000, minKeys: 200 }),
  bootstrapFile('ipv6', { minBytes: 500, minKeys: 25 }),
  bootstrapFile('asn', { minBytes: 1_500, minKeys: 120 }),
];

/** Somewhat less than there was in 2026: top-level domains go, but not by the hundred. */
interface Least {
  readonly minBytes: number;
  readonly minKeys: number;
}

function bootstrapFile(registry: string, { minBytes, minKeys }: Least): FeedFile {
  const name = `${registry}.json`;
  const download = {
    url: `https://data.iana.org/rdap/${name}`,
    minBytes,
    maxBytes: 5_000_000,
    refuse: (text: string) => whatIsWrong(text, minKeys),
  };
  return { folder: RDAP_FOLDER, name, container: 'plain', required: false, take: 'all', download };
}

function whatIsWrong(text: string, minKeys: number): string | undefined {
  try {
    const keys = parseRdapBootstrap(text).reduce((count, service) => count + service.keys.length, 0);
    return keys < minKeys ? `${keys} keys, at least ${minKeys} are expected` : undefined;
  } catch (error) {
    if (error instanceof RdapBootstrapError) return error.message;
    throw error;
  }
}
