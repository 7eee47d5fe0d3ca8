import {
  columnsByName,
  readCsvRows,
  type ColumnIndexes,
  type CsvVisitor,
} from '../../input/rows/csv-rows.js';
import type { OpenFile } from '../../input/published-source.js';
import { FeedError } from '../../input/feed-error.js';
import { hasRegions, namesNoCountry, parseCountry } from '../../input/names/iso3166.js';
import { currentRegionCode } from '../../input/names/iso3166-2.js';
import type { Reason } from '../../input/tally.js';
import type { ZipArchive } from '../../input/containers/zip-archive.js';

/** A row of `GeoLite2-City-Locations-<locale>.csv`: a city, district, region, country or continent in one language. */
export interface GeoLite2Location {
  /** The GeoNames id as published, in decimal digits. */
  readonly id: string;
  readonly kind: 'continent' | 'country' | 'region' | 'district' | 'city';
  readonly continent: string;
  readonly continentName: string | undefined;
  /** ISO 3166-1 alpha-2, or the invalid code of the row. */
  readonly country: string | { readonly invalid: string } | undefined;
  readonly countryName: string | undefined;
  /**
   * The ISO 3166-2 code of the first-level subdivision. Absent for HK and MO, where the file has district codes. In the
   * English rows, codes that the publisher swapped are corrected.
   */
  readonly region: string | undefined;
  /** The code of the first-level subdivision if ISO 3166-2 does not list it and it has no successor. */
  readonly unlistedRegion: string | undefined;
  readonly regionName: string | undefined;
  readonly cityName: string | undefined;
  /** The IANA time zone. Absent for countries and continents, where the file has an arbitrary one of several zones. */
  readonly timeZone: string | undefined;
}

/** Receives the rows of a locations file. */
export interface LocationVisitor {
  location(location: GeoLite2Location): void;
  bad(reason: Reason, line: number, excerpt: string): void;
}

/**
 * Reads a locations file of an open GeoLite2 City CSV zip. Throws FeedError `missing` when the zip lacks it, and
 * `header` for unknown columns.
 */
export async function readLocations(
  file: OpenFile,
  zip: ZipArchive,
  locale: 'en' | 'zh-CN',
  visitor: LocationVisitor,
): Promise<void> {
  const entry = entryCalled(file, zip, `GeoLite2-City-Locations-${locale}.csv`);
  const rows = new LocationRows(file, entry, visitor);
  await readCsvRows(file, zip.read(entry), { delimiter: ',', quote: true }, rows);
  rows.end();
}

/** Returns the zip entry with this file name in any folder. Throws FeedError `missing` when there is none. */
export function entryCalled(file: OpenFile, zip: ZipArchive, name: string): string {
  const entry = zip.names.find((path) => path.slice(path.lastIndexOf('/') + 1) === name);
  if (entry === undefined) throw new FeedError('missing', file.id, `no ${name} in the zip`);
  return entry;
}

const COLUMNS = [
  'geoname_id',
  'locale_code',
  'continent_code',
  'continent_name',
  'country_iso_code',
  'country_name',
  'subdivision_1_iso_code',
  'subdivision_1_name',
  'subdivision_2_iso_code',
  'subdivision_2_name',
  'city_name',
  'metro_code',
  'time_zone',
  'is_in_european_union',
] as const;

type Columns = ColumnIndexes<(typeof COLUMNS)[number], never>;

class LocationRows implements CsvVisitor {
  readonly #file: OpenFile;
  readonly #entry: string;
  readonly #visitor: LocationVisitor;
  #columns: Columns | undefined;

  constructor(file: OpenFile, entry: string, visitor: LocationVisitor) {
    this.#file = file;
    this.#entry = entry;
    this.#visitor = visitor;
  }

  row(fields: string[], line: number): void {
    if (this.#columns === undefined) {
      this.#columns = columnsByName(fields, { of: this.#entry, required: COLUMNS }, this.#file);
    } else if (fields.length !== COLUMNS.length) {
      this.#visitor.bad('columns', line, fields.join(','));
    } else {
      this.#visitor.location(locationOf(fields, this.#columns));
    }
  }

  bad(reason: Reason, line: number, excerpt: string): void {
    this.#visitor.bad(reason, line, excerpt);
  }

  end(): void {
    if (this.#columns === undefined)
      throw new FeedError('header', this.#file.id, `${this.#entry} has no header`);
  }
}

function locationOf(fields: readonly string[], at: Columns): GeoLite2Location {
  const text = (name: (typeof COLUMNS)[number]): string | undefined => fields[at[name]] || undefined;
  const country = countryOf(fields[at.country_iso_code]!);
  const subdivision = text('subdivision_1_iso_code');
  const cityName = text('city_name');
  const kind = kindOf({
    city: cityName,
    district: text('subdivision_2_iso_code') ?? text('subdivision_2_name'),
    region: subdivision,
    country: text('country_iso_code'),
  });
  return {
    id: fields[at.geoname_id]!,
    kind,
    continent: fields[at.continent_code]!,
    continentName: text('continent_name'),
    country,
    countryName: text('country_name'),
    ...regionOf(country, subdivision, text('subdivision_1_name')),
    regionName: text('subdivision_1_name'),
    cityName,
    timeZone: kind === 'country' || kind === 'continent' ? undefined : text('time_zone'),
  };
}

function countryOf(text: string): GeoLite2Location['country'] {
  return parseCountry(text) ?? (namesNoCountry(text) ? undefined : { invalid: text });
}

/** Returns the most specific level that a row names. */
function kindOf(named: Record<'city' | 'district' | 'region' | 'country', string | undefined>) {
  for (const kind of ['city', 'district', 'region', 'country'] as const) {
    if (named[kind] !== undefined) return kind;
  }
  return 'continent';
}

/** Codes of other subdivisions in the publisher's rows, by the English name in the row, and the codes of the names. */
const SWAPPED_CODES: Readonly<Record<string, string>> = {
  'MT-58 Tarxien': 'MT-59',
  "MT-59 Ta' Xbiex": 'MT-58',
  'TW-HSQ Hsinchu City': 'TW-HSZ',
  'TW-HSZ Hsinchu County': 'TW-HSQ',
};

/** Returns the current code of a subdivision, or the code itself as unlisted. */
function regionOf(
  country: GeoLite2Location['country'],
  subdivision: string | undefined,
  englishName: string | undefined,
): Pick<GeoLite2Location, 'region' | 'unlistedRegion'> {
  const isCode =
    typeof country === 'string' &&
    hasRegions(country) &&
    subdivision !== undefined &&
    /^[A-Z0-9]{1,3}$/.test(subdivision);
  if (!isCode) return { region: undefined, unlistedRegion: undefined };
  const code = `${country}-${subdivision}`;
  const region = currentRegionCode(SWAPPED_CODES[`${code} ${englishName ?? ''}`] ?? code);
  return { region, unlistedRegion: region === undefined ? code : undefined };
}
