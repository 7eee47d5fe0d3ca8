import type { FeedFile, Licence } from '../feeds/feed.js';
import { GEOLITE2_CITY_CSV } from '../feeds/geolite2.js';

/** One publisher of places. Not a feed: it says what places are called, not where networks are. */
export interface GazetteerSource {
  /** Its name in manifests. */
  readonly id: string;
  readonly publisher: string;
  readonly licence: Licence;
  readonly files: readonly FeedFile[];
  /** The feed that reads the same file whole: only what that feed found good is a last good copy of it. */
  readonly judgedBy?: string;
}

/** Raised with every change that makes the same files read differently; part of the cache key. */
export const GAZETTEER_VERSION = 3;

/** The name of the gazetteer among the sources of a build. */
export const GAZETTEER_ID = 'gazetteer';

/** What the gazetteer is made from; sources without files come with the project. No file is required, but one is. */
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

export type GazetteerSourceId = (typeof GAZETTEER_SOURCES)[number]['id'];

/** The files of all sources; a snapshot's `pattern` counts in this list. */
export const GAZETTEER_FILES: readonly FeedFile[] = GAZETTEER_SOURCES.flatMap(
  (source): readonly FeedFile[] => source.files,
);

/** Whether a manifest's input is a source of the gazetteer. */
export function isGazetteerSource(id: string): boolean {
  return GAZETTEER_SOURCES.some((source) => source.id === id);
}

/** A file that GeoNames hands out (https://download.geonames.org/export/dump/readme.txt). */
function fetchedFile(name: string, minBytes: number): FeedFile {
  const url = `https://download.geonames.org/export/dump/${name}`;
  return { ...geonamesFile(name), download: { url, minBytes } };
}

function geonamesFile(name: string): FeedFile {
  return {
    folder: 'gazetteer',
    name,
    container: name.endsWith('.zip') ? 'zip' : 'plain',
    required: false,
    take: 'all',
  };
}
