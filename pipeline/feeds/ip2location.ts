import type { Family } from '../net/address.js';
import type { Feed } from './feed.js';
import type { PublishedFile, OpenFile } from '../input/published-source.js';
import { FeedError } from '../input/feed-error.js';
import { readNetworkRows, type RowLayout } from '../input/rows/network-rows.js';
import { readPlace } from '../input/rows/place-columns.js';
import { withZip } from '../input/containers/zip-archive.js';
import { csvEntryOf } from '../input/containers/csv-entry.js';

/**
 * IP2Location LITE DB11
 * (https://lite.ip2location.com/database/db11-ip-country-region-city-latitude-longitude-zipcode-timezone): a zip per
 * family with ranges as decimal integers, or with prefixes, without a header. The IPv6 file repeats IPv4 in
 * ::ffff:0:0/96; these rows are dropped.
 */
export const ip2location: Feed = {
  id: 'ip2location',
  publisher: 'IP2Location',
  licence: {
    name: 'CC BY-SA 4.0',
    url: 'https://creativecommons.org/licenses/by-sa/4.0/',
    attribution:
      'This site or product includes IP2Location LITE data available from https://lite.ip2location.com',
    terms: 'share-alike',
  },
  files: [
    zipFile('IP2LOCATION-LITE-DB11.CSV.ZIP', 'DB11LITECSV', { required: true }),
    zipFile('IP2LOCATION-LITE-DB11.IPV6.CSV.ZIP', 'DB11LITECSVIPV6', { required: false }),
  ],
  cadence: 'monthly, the first day',
  version: 1,
  tolerance: 0.01,
  layers: ['city'],
  combine: (claims) => claims[0],
  read: async (files, sinkFor) => {
    for (const file of files) {
      const sink = sinkFor(file);
      const layoutOf = (first: readonly string[]): RowLayout => layoutIn(file, first);
      await withZip(file, (zip) =>
        readNetworkRows({ file, bytes: zip.read(csvEntryOf(file, zip)), sink, layoutOf }),
      );
    }
  },
};

function zipFile(name: string, code: string, { required }: { required: boolean }): PublishedFile {
  return {
    folder: 'ip2location',
    name,
    container: 'zip',
    required,
    take: 'all',
    maxUnpackedBytes: 4_000_000_000,
    download: {
      url: `https://www.ip2location.com/download/?token={IP2LOCATION_TOKEN}&file=${code}`,
      saveAs: name,
      minBytes: 10_000_000,
    },
  };
}

/**
 * The number of columns after the addresses: country code and name, region, city, coordinates, postal code, UTC
 * offset.
 */
const PLACE_COLUMNS = 8;
const LAST_IPV4 = '255.255.255.255';

function layoutIn(file: OpenFile, first: readonly string[]): RowLayout {
  const family: Family = /\.IPV6\./i.test(file.name) ? 6 : 4;
  if (first.length === 2 + PLACE_COLUMNS && /^\d+$/.test(first[0]!)) {
    return {
      ...placeLayout(2),
      family,
      endsAt: family === 4 ? LAST_IPV4 : undefined,
      networkColumns: [0, 1],
      readNetwork: (head, network) => network.readDecimalEnds(head, 0, 1),
    };
  }
  if (first.length === 1 + PLACE_COLUMNS && /^[\da-f.:]+\/\d+$/i.test(first[0]!)) {
    return {
      ...placeLayout(1),
      family,
      networkColumns: [0],
      readNetwork: (head, network) => network.readNetwork(head, 0),
    };
  }
  const begin = JSON.stringify(first[0]!.slice(0, 40));
  throw new FeedError('header', file.id, `unknown layout: ${first.length} columns, the first is ${begin}`);
}

/** Returns the layout of location columns that begin at column `from`. */
function placeLayout(from: number): Omit<RowLayout, 'networkColumns' | 'readNetwork'> {
  const country = from;
  const [region, city, latitude, longitude] = [from + 2, from + 3, from + 4, from + 5] as const;
  return {
    width: from + PLACE_COLUMNS,
    hasHeader: false,
    claimColumns: [country, region, city, latitude, longitude],
    readClaim: (fields) =>
      readPlace({
        country: fields[country]!,
        regionName: fields[region]!,
        cityName: fields[city]!,
        latitude: fields[latitude]!,
        longitude: fields[longitude]!,
      }),
  };
}
