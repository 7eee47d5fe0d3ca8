import { readGz } from '../input/containers/containers.js';
import type { Feed } from './feed.js';
import type { OpenFile } from '../input/published-source.js';
import { FeedError } from '../input/feed-error.js';
import { readNetworkRows, type RowLayout } from '../input/rows/network-rows.js';
import { readPlace } from '../input/rows/place-columns.js';

/**
 * DB-IP City Lite (https://db-ip.com/db/format/ip-to-city-lite/csv.html): ranges of both families in one file, without
 * a header. Regions and cities are English names. A district in a city name (`Berlin (Mitte)`, `Chiyoda, Tokyo`) is
 * kept.
 */
export const dbip: Feed = {
  id: 'dbip',
  publisher: 'DB-IP',
  licence: {
    name: 'CC BY 4.0',
    url: 'https://creativecommons.org/licenses/by/4.0/',
    attribution: "<a href='https://db-ip.com'>IP Geolocation by DB-IP</a>",
    terms: 'free',
  },
  files: [
    {
      folder: 'dbip',
      name: 'dbip-city-lite-*.csv.gz',
      container: 'gz',
      required: true,
      take: 'latest',
      maxUnpackedBytes: 4_000_000_000,
      download: {
        url: 'https://download.db-ip.com/free/dbip-city-lite-{yyyy}-{mm}.csv.gz',
        minBytes: 20_000_000,
      },
    },
  ],
  cadence: 'monthly, about the 1st',
  version: 1,
  tolerance: 0.01,
  foldMapped: true,
  layers: ['city'],
  combine: (claims) => claims[0],
  read: async (files, sinkFor) => {
    for (const file of files) {
      const layoutOf = (first: readonly string[]): RowLayout => layoutIn(file, first);
      await readNetworkRows({ file, bytes: readGz(file), sink: sinkFor(file), layoutOf });
    }
  },
};

/** The positions of columns. Column 2, the continent, is not read. */
const AT = { start: 0, end: 1, country: 3, region: 4, city: 5, latitude: 6, longitude: 7 } as const;
const WIDTH = 8;

function layoutIn(file: OpenFile, first: readonly string[]): RowLayout {
  if (first.length !== WIDTH) {
    throw new FeedError('header', file.id, `${first.length} columns: expected ${WIDTH}`);
  }
  if (!/^[\da-f.:]+$/i.test(first[AT.start]!)) {
    const found = JSON.stringify(first[AT.start]!.slice(0, 40));
    throw new FeedError('header', file.id, `first column ${found}: expected an address`);
  }
  return {
    width: WIDTH,
    hasHeader: false,
    networkColumns: [AT.start, AT.end],
    readNetwork: (head, network) => network.readEnds(head, AT.start, AT.end),
    claimColumns: [AT.country, AT.region, AT.city, AT.latitude, AT.longitude],
    readClaim: (fields) =>
      readPlace({
        country: fields[AT.country]!,
        regionName: fields[AT.region]!,
        cityName: fields[AT.city]!,
        latitude: fields[AT.latitude]!,
        longitude: fields[AT.longitude]!,
      }),
  };
}
