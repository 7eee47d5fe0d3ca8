import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PublishedFile } from '../input/published-source.js';
import { listedGeofeedName, withoutBraces } from '../input/registrations/geofeed-url.js';
import { absentIfMissing } from '../release/missing.js';
import { isLoopback } from './mirror.js';

/** The operator's list of geofeeds (RFC 8805, RFC 9632) below the downloads: an https URL per line, `#` comments. */
export const GEOFEED_LIST = 'own/geofeeds.urls';

/** The files of a list, and its invalid lines. */
export interface GeofeedList {
  readonly files: readonly PublishedFile[];
  /** 1-based. */
  readonly badLines: readonly number[];
}

/** Parses a list of geofeeds. Each is kept as `own/geofeeds/<host>-<digest of the URL>.csv`. */
export function parseGeofeedList(text: string): GeofeedList {
  const files = new Map<string, PublishedFile>();
  const badLines: number[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const [address = ''] = line
      .replace(/^\u{feff}/u, '')
      .trim()
      .split(/\s+/);
    if (address === '' || address.startsWith('#')) continue;
    const url = URL.canParse(address) ? new URL(address) : undefined;
    if (!url || url.username + url.password !== '' || !(url.protocol === 'https:' || isLoopback(url))) {
      badLines.push(index + 1);
      continue;
    }
    files.set(url.href, geofeedFile(url));
  }
  return { files: [...files.values()], badLines };
}

/** Reads the list below a folder of downloads; absent when it does not exist. */
export async function readGeofeedList(dir: string): Promise<GeofeedList | undefined> {
  const text = await absentIfMissing(readFile(join(dir, GEOFEED_LIST), 'utf8'));
  return text === undefined ? undefined : parseGeofeedList(text);
}

/** Maximum size of a geofeed, far above any real one: a server may send without end. */
const MAX_BYTES = 50_000_000;

function geofeedFile(url: URL): PublishedFile {
  const address = withoutBraces(url);
  const name = listedGeofeedName(new URL(address));
  const download = { url: address, minBytes: 1, maxBytes: MAX_BYTES };
  return { folder: 'own', name, container: 'plain', required: false, take: 'all', download };
}
