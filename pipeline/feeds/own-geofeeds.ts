import { PrefixBuffer } from '../net/prefix.js';
import { readCsvRows, type CsvVisitor } from './csv-rows.js';
import type { ClaimSink, OpenFile } from './feed.js';
import { FeedError } from './feed-error.js';
import { namesNoCountry, parseCountry } from './iso3166.js';
import { GEOFEED, NOT_LOCATED } from './own-layers.js';
import { presentText, readRegion } from './own-place.js';
import type { Reason } from './tally.js';

/**
 * Reads a geofeed (RFC 8805): `prefix,country,region,city,postal`, `#` comments, missing trailing columns fine. A
 * row without a country, or with `ZZ`, asks that the prefix be located nowhere (§2.1.2). Rows of more than five
 * fields are no longer the RFC's: only prefix, country and region are taken. Throws FeedError `header` when a
 * header row names other columns.
 *
 * Whether the whois block that names the feed covers a prefix (RFC 9632 §3) is not checked: the whois blocks that we
 * read carry no geofeed references, so no row is refused as `reference`.
 */
export async function readGeofeed(
  file: OpenFile,
  bytes: AsyncIterable<Buffer>,
  sink: ClaimSink,
): Promise<void> {
  await readCsvRows(file, bytes, { delimiter: ',', quote: true }, new GeofeedRows(file, sink));
}

/** What a row says of its place; the same for all rows with the same text. */
interface Reading {
  /** Absent: the row says nothing. */
  readonly claimId?: number;
  readonly refused?: Reason;
  /** The region belongs to another country and is dropped. */
  readonly foreignRegion?: boolean;
}

/** Columns of RFC 8805; a row with more of them follows some other plan. */
const RFC_FIELDS = 5;

class GeofeedRows implements CsvVisitor {
  readonly #file: OpenFile;
  readonly #sink: ClaimSink;
  readonly #readings = new Map<string, Reading>();
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
    const reading = this.#readPlace(fields);
    if (reading.refused !== undefined) return reading.refused;
    if (reading.foreignRegion) this.#sink.note('region-country');
    if (reading.claimId === undefined) {
      this.#sink.unknown();
      return undefined;
    }
    this.#sink.prefix(GEOFEED, prefix, reading.claimId, line);
    return undefined;
  }

  #readPlace(fields: readonly string[]): Reading {
    const isWider = fields.slice(RFC_FIELDS).some((field) => field.trim() !== '');
    const city = isWider ? '' : (fields[3] ?? '');
    const key = `${fields[1] ?? ''}\u0000${fields[2] ?? ''}\u0000${city}`;
    let reading = this.#readings.get(key);
    if (!reading) {
      reading = this.#makeReading(fields[1]?.trim() ?? '', fields[2], city);
      this.#readings.set(key, reading);
    }
    return reading;
  }

  #makeReading(code: string, regionText: string | undefined, cityText: string): Reading {
    if (code === '' || code.toUpperCase() === 'ZZ') return { claimId: this.#sink.intern(NOT_LOCATED) };
    const country = parseCountry(code);
    if (country === undefined) return code === '-' || namesNoCountry(code) ? {} : { refused: 'country' };
    const { foreign, ...region } = readRegion(regionText, country);
    const cityName = presentText(cityText);
    const claim = {
      country,
      ...region,
      ...(cityName !== undefined && { cityName }),
      basis: 'geofeed',
    } as const;
    return { claimId: this.#sink.intern(claim), foreignRegion: foreign };
  }
}

const PREFIX_HEADING = /^(ip|network|prefix|subnet|cidr|range)[a-z _-]*$/i;

/** How the columns behind the prefix are called, in RFC 8805's order. */
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
    const found = `column ${index + 2} is ${JSON.stringify(name.slice(0, 40))}, not as in RFC 8805`;
    throw new FeedError('header', file.id, found);
  });
}
