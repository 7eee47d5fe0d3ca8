import { PrefixBuffer } from '../../net/prefix.js';
import type { Claim, LastLevel } from '../../input/claims/claim.js';
import {
  columnsByName,
  readCsvRows,
  type ColumnIndexes,
  type CsvVisitor,
} from '../../input/rows/csv-rows.js';
import type { ClaimSink } from '../../input/claims/claim-sink.js';
import type { OpenFile } from '../../input/published-source.js';
import { FeedError } from '../../input/feed-error.js';
import { namesNoCountry, parseCountry } from '../../input/names/iso3166.js';
import { OVERRIDE } from './layers.js';
import { presentText, readRegion } from '../../input/names/stated-region.js';
import type { Reason } from '../../input/tally.js';

/**
 * Reads our corrections: CSV with a header and columns in any order. Required: `prefix,country,region,city`. Optional:
 * `latitude` or `lat`, `longitude` or `lon`, `isp`, and `postal` and `reason`, which are for readers only. `#` lines
 * are comments. Only the most specific row of an address counts. The merge decides what a row leaves empty; `-` states
 * that there is none: no location at all, no region and no city, no city, no coordinates. A row without a country may
 * have an ISP but no location. Throws FeedError `header` when the header is missing or has an unknown column.
 */
export async function readOverrides(
  file: OpenFile,
  bytes: AsyncIterable<Buffer>,
  sink: ClaimSink,
): Promise<void> {
  const rows = new OverrideRows(file, sink);
  await readCsvRows(file, bytes, { delimiter: ',', quote: true }, rows);
  rows.end();
}

const REQUIRED = ['prefix', 'country', 'region', 'city'] as const;
const OPTIONAL = ['latitude', 'longitude', 'isp', 'postal', 'reason'] as const;
/** The columns of a location inside a country. */
const PLACE = ['region', 'city', 'latitude', 'longitude'] as const;
const SHORT_NAMES: ReadonlyMap<string, string> = new Map([
  ['lat', 'latitude'],
  ['lon', 'longitude'],
]);

type Columns = ColumnIndexes<(typeof REQUIRED)[number], (typeof OPTIONAL)[number]>;

class OverrideRows implements CsvVisitor {
  readonly #file: OpenFile;
  readonly #sink: ClaimSink;
  readonly #prefix = new PrefixBuffer();
  #columns: Columns | undefined;
  #width = 0;

  constructor(file: OpenFile, sink: ClaimSink) {
    this.#file = file;
    this.#sink = sink;
  }

  row(fields: string[], line: number): void {
    if (fields[0]!.trimStart().startsWith('#')) return;
    if (!this.#columns) {
      this.#columns = readHeader(fields, this.#file);
      this.#width = fields.length;
      return;
    }
    const refused = fields.length === this.#width ? this.#read(fields, this.#columns, line) : 'columns';
    if (refused !== undefined) this.#sink.reject(refused, line, fields.join(','));
  }

  bad(reason: 'quoting' | 'encoding', line: number, excerpt: string): void {
    if (!excerpt.trimStart().startsWith('#')) this.#sink.reject(reason, line, excerpt);
  }

  /** Called after the last row. */
  end(): void {
    if (!this.#columns) throw new FeedError('header', this.#file.id, 'no header');
  }

  #read(fields: readonly string[], columns: Columns, line: number): Reason | undefined {
    const prefix = this.#prefix;
    if (!prefix.parse(fields[columns.prefix]!.trim())) return 'address';
    const claim = this.#claimIn(fields, columns);
    if (claim === 'country') return claim;
    if (claim === undefined) {
      this.#sink.unknown();
      return undefined;
    }
    this.#sink.prefix(OVERRIDE, prefix, this.#sink.intern(claim), line);
    return undefined;
  }

  /**
   * Returns the claim of a row, undefined for an empty one, `country` for an invalid code or a location without
   * one.
   */
  #claimIn(fields: readonly string[], columns: Columns): Claim | 'country' | undefined {
    const isp = fieldAt(fields, columns.isp);
    const namesPlace = PLACE.some((column) => fieldAt(fields, columns[column]) !== undefined);
    if (isNothing(fields, columns.country)) {
      if (namesPlace) return 'country';
      return { ...(isp !== undefined && { isp }), basis: 'override', lastLevel: 'none' };
    }
    const code = fieldAt(fields, columns.country) ?? '';
    const country = parseCountry(code);
    if (country !== undefined) return this.#locatedClaim(fields, columns, country);
    if (!namesNoCountry(code) || namesPlace) return 'country';
    return isp === undefined ? undefined : { isp, basis: 'override' };
  }

  #locatedClaim(fields: readonly string[], columns: Columns, country: string): Claim {
    const { foreign, unlisted, ...region } = readRegion(fields[columns.region], country);
    if (foreign) this.#sink.note('region-country');
    if (unlisted) this.#sink.note('region-code');
    const cityName = fieldAt(fields, columns.city);
    const coordinates = this.#coordinatesIn(fields, columns, cityName !== undefined);
    const lastLevel = lastLevelIn(fields, columns);
    const isp = fieldAt(fields, columns.isp);
    return {
      country,
      ...region,
      ...(cityName !== undefined && { cityName }),
      ...coordinates,
      ...(isp !== undefined && { isp }),
      basis: 'override',
      ...(lastLevel !== undefined && { lastLevel }),
    };
  }

  /** Reads coordinates; `-` states that there are none. Drops 0,0 without a city, and incomplete or invalid coordinates (note `coordinates`). */
  #coordinatesIn(
    fields: readonly string[],
    columns: Columns,
    hasCity: boolean,
  ): Pick<Claim, 'latitude' | 'longitude' | 'coordinates'> | undefined {
    const latitudeText = fieldAt(fields, columns.latitude);
    const longitudeText = fieldAt(fields, columns.longitude);
    const isNone = isNothing(fields, columns.latitude) || isNothing(fields, columns.longitude);
    if (latitudeText === undefined && longitudeText === undefined)
      return isNone ? { coordinates: 'none' } : undefined;
    const latitude = degrees(latitudeText, 90);
    const longitude = degrees(longitudeText, 180);
    if (latitude === undefined || longitude === undefined) {
      this.#sink.note('coordinates');
      return undefined;
    }
    return latitude === 0 && longitude === 0 && !hasCity ? undefined : { latitude, longitude };
  }
}

/** Returns the last level on which a row states a place; undefined if the merge decides below. */
function lastLevelIn(fields: readonly string[], { region, city }: Columns): LastLevel | undefined {
  if (isNothing(fields, region)) return 'country';
  return isNothing(fields, city) ? 'region' : undefined;
}

/** Whether a field states that there is nothing, as opposed to an empty field. */
function isNothing(fields: readonly string[], column: number | undefined): boolean {
  return column !== undefined && fields[column]?.trim() === '-';
}

function fieldAt(fields: readonly string[], column: number | undefined): string | undefined {
  return column === undefined ? undefined : presentText(fields[column]);
}

/** Parses decimal degrees in `-limit..limit`. */
function degrees(text: string | undefined, limit: number): number | undefined {
  if (text === undefined || !/^[-+]?\d{1,3}(\.\d+)?$/.test(text)) return undefined;
  const value = Number(text);
  return Math.abs(value) <= limit ? value : undefined;
}

function readHeader(header: readonly string[], file: OpenFile): Columns {
  const names = header.map((name) => name.trim().toLowerCase()).map((name) => SHORT_NAMES.get(name) ?? name);
  return columnsByName(names, { of: 'the header', required: REQUIRED, optional: OPTIONAL }, file);
}
