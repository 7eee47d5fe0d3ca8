import { columnsByName } from '../../input/rows/csv-rows.js';
import { readNetworkRows } from '../../input/rows/network-rows.js';
import type { ClaimSink } from '../../input/claims/claim-sink.js';
import type { Feed } from '../feed.js';
import type { PublishedFile, OpenFile } from '../../input/published-source.js';
import { FeedError } from '../../input/feed-error.js';
import { BLOCK_COLUMNS, blockLayout } from './blocks.js';
import { entryCalled, readLocations, type GeoLite2Location } from './locations.js';
import type { Reason } from '../../input/tally.js';
import { withZip, type ZipArchive } from '../../input/containers/zip-archive.js';

/** The file of the feed (https://dev.maxmind.com/geoip/updating-databases/#directly-downloading-databases). */
export const GEOLITE2_CITY_CSV: PublishedFile = {
  folder: 'geolite2',
  name: 'GeoLite2-City-CSV_*.zip',
  container: 'zip',
  required: true,
  take: 'latest',
  maxUnpackedBytes: 4_000_000_000,
  download: {
    url: 'https://download.maxmind.com/geoip/databases/GeoLite2-City-CSV/download?suffix=zip',
    sha256Url: 'https://download.maxmind.com/geoip/databases/GeoLite2-City-CSV/download?suffix=zip.sha256',
    basicAuth: ['MAXMIND_ACCOUNT_ID', 'MAXMIND_LICENSE_KEY'],
    minBytes: 10_000_000,
  },
};

/**
 * MaxMind GeoLite2 City, CSV edition: a zip of network blocks per family and of locations per language
 * (https://dev.maxmind.com/geoip/docs/databases/city-and-country/#csv-databases). The rows counted are those of the two
 * blocks files, and invalid rows of the locations.
 */
export const geolite2: Feed = {
  id: 'geolite2',
  publisher: 'MaxMind',
  licence: {
    name: 'GeoLite End User License Agreement',
    url: 'https://www.maxmind.com/en/geolite/eula',
    attribution:
      'This product includes GeoLite Data created by MaxMind, available from https://www.maxmind.com',
    terms: 'closed',
  },
  files: [GEOLITE2_CITY_CSV],
  cadence: 'Tuesday and Friday',
  version: 3,
  tolerance: 0.01,
  layers: ['city'],
  combine: (claims) => claims[0],
  read: async (files, sinkFor) => {
    for (const file of files) await withZip(file, (zip) => readSnapshot(file, zip, sinkFor(file)));
  },
};

async function readSnapshot(file: OpenFile, zip: ZipArchive, sink: ClaimSink): Promise<void> {
  const blocks = ([4, 6] as const).map((family) => ({
    family,
    entry: entryCalled(file, zip, `GeoLite2-City-Blocks-IPv${family}.csv`),
  }));
  const locations = new Map<string, GeoLite2Location>();
  const bad = (reason: Reason, line: number, excerpt: string): void => {
    sink.reject(reason, line, excerpt);
  };
  await readLocations(file, zip, 'en', {
    bad,
    location: (location) => {
      if (location.unlistedRegion !== undefined) sink.note('region-code');
      locations.set(location.id, location);
    },
  });
  // Not needed for claims, but checked here: a snapshot is refused as a whole, and the gazetteer uses its Chinese
  // names.
  await readLocations(file, zip, 'zh-CN', { bad, location: () => undefined });
  for (const { family, entry } of blocks) {
    await readNetworkRows({
      file,
      bytes: zip.read(entry),
      sink,
      layoutOf: (header) =>
        blockLayout(columnsByName(header, { of: entry, ...BLOCK_COLUMNS }, file), family, locations),
      noRows: () => new FeedError('header', file.id, `${entry} has no header`),
    });
  }
}
