import { PrefixBuffer } from '../../net/prefix.js';
import { readCsvRows, type CsvVisitor } from '../../input/rows/csv-rows.js';
import type { ClaimSink } from '../../input/claims/claim-sink.js';
import type { OpenFile } from '../../input/published-source.js';
import { FeedError } from '../../input/feed-error.js';
import { namesNoCountry, parseCountry } from '../../input/names/iso3166.js';
import { GEOFEED, NOT_LOCATED } from './layers.js';
import { presentText, readRegion } from '../../input/names/stated-region.js';
import type { Note, Reason } from '../../input/tally.js';

/**
 * Reads a geofeed (RFC 8805): `prefix,country,region,city,postal`. Accepts `#` comments and missing trailing columns. A
 * row without a country, or with `ZZ`, asks for no location (§2.1.2). In rows of more than five fields only prefix,
 * country and region are read. Throws FeedError `header` when a header row has other columns.
 *
 * All prefixes go to the layer of geofeeds. Whether a registration names the geofeed for a prefix (RFC 9632 §3) is for
 * the sink to decide: `OwnershipSink` makes observations of other rows and rejects none of them.
 */
export async function readGeofeed(
  file: OpenFile,
  bytes: AsyncIterable<Buffer>,
  sink: ClaimSink,
): Promise<void> {
  await readCsvRows(file, bytes, { delimiter: ',', quote: true }, new GeofeedRows(file, sink));
}

/** The result of reading the location of a row, shared by all rows with the same texts. */
interface RowLocation {
  /** Absent when the row has no information. */
  readonly claimId?: number;
  readonly refused?: Reason;
  /** Why the region was dropped. */
  readonly droppedRegion?: Note;
}

/** The number of columns of RFC 8805. The columns after the region are unknown in longer rows. */
const RFC_FIELDS = 5;

class GeofeedRows implements CsvVisitor {
  readonly #file: OpenFile;
  readonly #sink: ClaimSink;
  readonly #locations = new Map<string, RowLocation>();
  readonly #prefix = new PrefixBuffer();
  #atFirstRow = true;

  constructor(file: OpenFile, sink: ClaimSink) {
    this.#file = file;
    this.#sink = sink;
  }

  row(fields: string[], line: number): void {
    const prefixText = fields[0]!.trim();
    if (prefixText.startsWith('#')) return;
    const isHeader = this.#atFirstRow && PREFIX_HEADING.test(prefixText);
    this.#atFirstRow = false;
    if (isHeader) {
      refuseOtherColumns(fields, this.#file);
      return;
    }
    const refused = this.#read(prefixText, fields, line);
    if (refused !== undefined) this.#sink.reject(refused, line, fields.join(','));
  }

  bad(reason: 'quoting' | 'encoding', line: number, excerpt: string): void {
    if (!excerpt.trimStart().startsWith('#')) this.#sink.reject(reason, line, excerpt);
  }

  #read(prefixText: string, fields: readonly string[], line: number): Reason | undefined {
    const prefix = this.#prefix;
    if (!prefix.parse(prefixText)) {
      if (fields.some((field) => field.trim() !== '')) return 'address';
      this.#sink.unknown();
      return undefined;
    }
    const location = this.#locationIn(fields);
    if (location.refused !== undefined) return location.refused;
    if (location.droppedRegion) this.#sink.note(location.droppedRegion);
    if (location.claimId === undefined) {
      this.#sink.unknown();
      return undefined;
    }
    this.#sink.prefix(GEOFEED, prefix, location.claimId, line);
    return undefined;
  }

  #locationIn(fields: readonly string[]): RowLocation {
    const isWider = fields.slice(RFC_FIELDS).some((field) => field.trim() !== '');
    const city = isWider ? '' : (fields[3] ?? '');
    const key = `${fields[1] ?? ''}\u0000${fields[2] ?? ''}\u0000${city}`;
    let location = this.#locations.get(key);
    if (!location) {
      location = this.#readLocation(fields[1]?.trim() ?? '', fields[2], city);
      this.#locations.set(key, location);
    }
    return location;
  }

  #readLocation(code: string, regionText: string | undefined, cityText: string): RowLocation {
    if (code === '' || code.toUpperCase() === 'ZZ') return { claimId: this.#sink.intern(NOT_LOCATED) };
    const country = parseCountry(code);
    if (country === undefined) return code === '-' || namesNoCountry(code) ? {} : { refused: 'country' };
    const { foreign, unlisted, ...region } = readRegion(regionText, country);
    const cityName = presentText(cityText);
    const claim = {
      country,
      ...region,
      ...(cityName !== undefined && { cityName }),
      basis: 'geofeed',
      statedBy: this.#file.id,
    } as const;
    const droppedRegion = foreign ? 'region-country' : unlisted ? 'region-code' : undefined;
    return { claimId: this.#sink.intern(claim), ...(droppedRegion && { droppedRegion }) };
  }
}

const PREFIX_HEADING = /^(ip|network|prefix|subnet|cidr|range)[a-z _-]*$/i;

/** The accepted names of the columns after the prefix, in the order of RFC 8805. */
const HEADINGS = [
  /country|alpha2|^cc$/i,
  /region|subdivision|state|province/i,
  /city|town|locality/i,
  /post|zip/i,
];

function refuseOtherColumns(header: readonly string[], file: OpenFile): void {
  HEADINGS.forEach((heading, index) => {
    const name = header[index + 1]?.trim() ?? '';
    if (name === '' || heading.test(name.replace(/[ _-]/g, ''))) return;
    const found = `column ${index + 2} is ${JSON.stringify(name.slice(0, 40))}: expected the columns of RFC 8805`;
    throw new FeedError('header', file.id, found);
  });
}
