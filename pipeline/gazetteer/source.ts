import type { PublishedFile, Licence } from '../input/published-source.js';
import { GEOLITE2_CITY_CSV } from '../feeds/geolite2/geolite2.js';

/** A source of the gazetteer. Not a feed: it names places, it does not locate networks. */
export interface GazetteerSource {
  /** Its id in manifests. */
  readonly id: string;
  readonly publisher: string;
  readonly licence: Licence;
  readonly files: readonly PublishedFile[];
  /** The feed that reads the whole of the same file. A copy is a last good copy only if that feed accepted it. */
  readonly judgedBy?: string;
}

/** Part of the cache key; raise it with every change that gives another result for the same files. */
export const GAZETTEER_VERSION = 10;

/** The id of the gazetteer among the sources of a build. */
export const GAZETTEER_ID = 'gazetteer';

/** The sources of the gazetteer. Sources without files are part of the project. At least one file must be present. */
export const GAZETTEER_SOURCES = [
  {
    id: GAZETTEER_ID,
    publisher: 'GeoNames',
    licence: {
      name: 'CC BY 4.0',
      url: 'https://creativecommons.org/licenses/by/4.0/',
      attribution: 'GeoNames, https://www.geonames.org',
      terms: 'free',
    },
    files: [
      fetchedFile('cities500.zip', 5_000_000),
      geonamesFile('cities500.txt'),
      geonamesFile('cities15000.zip'),
      geonamesFile('cities15000.txt'),
      fetchedFile('admin1CodesASCII.txt', 50_000),
      fetchedFile('countryInfo.txt', 10_000),
      fetchedFile('alternateNamesV2.zip', 50_000_000),
      geonamesFile('alternateNamesV2.txt'),
    ],
  },
  {
    id: 'gazetteer-iso-3166',
    publisher: 'Titus Wormer (npm package iso-3166)',
    licence: {
      name: 'MIT',
      url: 'https://github.com/wooorm/iso-3166/blob/main/license',
      attribution: 'Codes of subdivisions: iso-3166, copyright Titus Wormer',
      terms: 'free',
    },
    files: [],
  },
  {
    id: 'gazetteer-cldr',
    publisher: 'Unicode CLDR (names of countries)',
    licence: {
      name: 'Unicode License v3',
      url: 'https://www.unicode.org/license.txt',
      attribution: 'Names of countries: Unicode CLDR, copyright Unicode, Inc.',
      terms: 'free',
    },
    files: [],
  },
  {
    id: 'gazetteer-tz',
    publisher: 'IANA Time Zone Database (time zones of countries)',
    licence: {
      name: 'Public domain',
      url: 'https://data.iana.org/time-zones/tzdb/LICENSE',
      attribution: 'Time zones of countries: tz database, https://www.iana.org/time-zones',
      terms: 'free',
    },
    files: [],
  },
  {
    id: 'gazetteer-dr5hn',
    publisher: 'dr5hn countries-states-cities-database',
    licence: {
      name: 'ODbL 1.0',
      url: 'https://opendatacommons.org/licenses/odbl/1-0/',
      attribution:
        'dr5hn countries-states-cities-database, https://github.com/dr5hn/countries-states-cities-database',
      terms: 'share-alike',
    },
    files: [geonamesFile('dr5hn-cities-zh.tsv'), geonamesFile('dr5hn-states-zh.tsv')],
  },
  {
    id: 'gazetteer-geolite2',
    publisher: 'MaxMind (GeoLite2 City Locations)',
    licence: {
      name: 'GeoLite End User License Agreement',
      url: 'https://www.maxmind.com/en/geolite/eula',
      attribution:
        'This product includes GeoLite Data created by MaxMind, available from https://www.maxmind.com',
      terms: 'closed',
    },
    files: [{ ...GEOLITE2_CITY_CSV, required: false }],
    judgedBy: 'geolite2',
  },
] as const satisfies readonly GazetteerSource[];

/** The id of a source of the gazetteer. */
export type GazetteerSourceId = (typeof GAZETTEER_SOURCES)[number]['id'];

/** The files of all sources; `pattern` of a snapshot is an index into this list. */
export const GAZETTEER_FILES: readonly PublishedFile[] = GAZETTEER_SOURCES.flatMap(
  (source): readonly PublishedFile[] => source.files,
);

/** Whether a manifest's input is a source of the gazetteer. */
export function isGazetteerSource(id: string): boolean {
  return GAZETTEER_SOURCES.some((source) => source.id === id);
}

/** Returns a file of GeoNames (https://download.geonames.org/export/dump/readme.txt). */
function fetchedFile(name: string, minBytes: number): PublishedFile {
  const url = `https://download.geonames.org/export/dump/${name}`;
  return { ...geonamesFile(name), download: { url, minBytes } };
}

function geonamesFile(name: string): PublishedFile {
  return {
    folder: 'gazetteer',
    name,
    container: name.endsWith('.zip') ? 'zip' : 'plain',
    required: false,
    take: 'all',
    maxUnpackedBytes: 4_000_000_000,
  };
}
