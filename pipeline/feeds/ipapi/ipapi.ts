import type { Family } from '../../net/address.js';
import type { Feed } from '../feed.js';
import type { PublishedFile, OpenFile } from '../../input/published-source.js';
import { ipapiLayout } from './columns.js';
import { readNetworkRows } from '../../input/rows/network-rows.js';
import { withZip } from '../../input/containers/zip-archive.js';
import { csvEntryOf } from '../../input/containers/csv-entry.js';

/**
 * ipapi.is geolocation database (https://github.com/ipapi-is/ipapi#geolocation-database), the free edition: a zip per
 * family with nested ranges and an accuracy class per row. IPv4-mapped rows of the IPv6 file are dropped.
 */
export const ipapi: Feed = {
  id: 'ipapi',
  publisher: 'ipapi.is',
  licence: {
    name: 'no terms stated',
    url: 'https://github.com/ipapi-is/ipapi',
    attribution: 'ipapi.is',
    terms: 'unstated',
  },
  files: [
    zipFile('geolocationDatabaseIPv4.csv.zip', { required: true, minBytes: 10_000_000 }),
    zipFile('geolocationDatabaseIPv6.csv.zip', { required: false, minBytes: 5_000_000 }),
  ],
  cadence: 'several times a week',
  version: 1,
  tolerance: 0.05,
  layers: ['city'],
  combine: (claims) => claims[0],
  read: async (files, sinkFor) => {
    for (const file of files) {
      const sink = sinkFor(file);
      const family = familyOf(file);
      await withZip(file, (zip) =>
        readNetworkRows({
          file,
          bytes: zip.read(csvEntryOf(file, zip)),
          sink,
          layoutOf: (header) => ipapiLayout(file, header, family),
        }),
      );
    }
  },
};

function zipFile(
  name: string,
  { required, minBytes }: { required: boolean; minBytes: number },
): PublishedFile {
  return {
    folder: 'ipapi',
    name,
    container: 'zip',
    required,
    take: 'all',
    maxUnpackedBytes: 4_000_000_000,
    download: { url: `https://github.com/ipapi-is/ipapi/raw/main/databases/${name}`, minBytes },
  };
}

function familyOf(file: OpenFile): Family {
  return file.name.includes('IPv6') ? 6 : 4;
}
