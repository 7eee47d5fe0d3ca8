import { createHash } from 'node:crypto';
import { isIP } from 'node:net';

/**
 * Parses the URL of a geofeed in a registration and drops its fragment. Returns undefined unless it is an https URL
 * (RFC 9632 §3) of a public host name: without credentials, not an address, with a dot.
 */
export function parseGeofeedUrl(text: string): URL | undefined {
  if (text.length > MAX_CHARACTERS || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== 'https:' || url.username + url.password !== '') return undefined;
  if (url.hostname.startsWith('[') || isIP(url.hostname) !== 0 || !NAME.test(url.hostname)) return undefined;
  url.hash = '';
  return /[{}]/.test(url.href) ? new URL(withoutBraces(url)) : url;
}

/**
 * Returns the name below `own/` of a geofeed that registrations reference: `geofeeds-found/<host>-<digest>.csv`. The
 * digest is the first 32 hexadecimal digits of the SHA-256 of the URL, so the name identifies the URL.
 */
export function foundGeofeedName({ href, hostname }: Pick<URL, 'href' | 'hostname'>): string {
  const digest = createHash('sha256').update(href).digest('hex').slice(0, 32);
  return `${FOUND_GEOFEEDS}/${hostname.slice(0, HOST_CHARACTERS)}-${digest}.csv`;
}

/** Returns the name below `own/` of a geofeed that the operator of the build lists: `geofeeds/<host>-<digest>.csv`. */
export function listedGeofeedName({ href, hostname }: Pick<URL, 'href' | 'hostname'>): string {
  const digest = createHash('sha256').update(href).digest('hex').slice(0, 8);
  return `geofeeds/${hostname.replace(/[^a-z0-9.-]/g, '_')}-${digest}.csv`;
}

/** Returns the URL as a download has it: braces would be read as variables. */
export function withoutBraces(url: URL): string {
  return url.href.replaceAll('{', '%7B').replaceAll('}', '%7D');
}

/** The folder of such geofeeds below `own/`. */
export const FOUND_GEOFEEDS = 'geofeeds-found';

const MAX_CHARACTERS = 2_048;
/** Leaves room for the digest in a file name of 255 bytes. */
const HOST_CHARACTERS = 100;
/** A host name with a dot inside, as `URL` writes it. */
const NAME = /^[a-z0-9_-]+(\.[a-z0-9_-]+)+\.?$/;
