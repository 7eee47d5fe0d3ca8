import type { Family } from '../../net/address.js';
import type { Claim } from '../../input/claims/claim.js';
import type { ColumnsRead } from '../../input/claims/columns-read.js';
import { columnsByName, type ColumnIndexes } from '../../input/rows/csv-rows.js';
import type { FieldRanges } from '../../input/rows/field-ranges.js';
import type { OpenFile } from '../../input/published-source.js';
import { FeedError } from '../../input/feed-error.js';
import type { RowLayout } from '../../input/rows/network-rows.js';
import { presentText } from '../../input/names/stated-region.js';
import { readPlace } from '../../input/rows/place-columns.js';
import type { AddressFault, RowNetwork } from '../../input/rows/row-network.js';

/**
 * Returns the layout for a header of ipapi.is. Accepts camelCase names (`startIp`, `countryCode`), which older files
 * have, and snake_case names. Older files lack `source` and have a column `network` instead of the two ends. The
 * commercial sample has `isDst` and no version. Throws FeedError `header` for other columns.
 */
export function ipapiLayout(file: OpenFile, header: readonly string[], family: Family): RowLayout {
  const at = columnsByName(header.map(snakeCase), COLUMNS, file);
  const claimColumns = [
    at.country_code,
    at.state,
    at.city,
    at.timezone,
    at.latitude,
    at.longitude,
    at.accuracy,
  ];
  const sourceColumn = at.source ?? at.sources;
  if (sourceColumn !== undefined) claimColumns.push(sourceColumn);
  return {
    width: header.length,
    hasHeader: true,
    family,
    networkColumns: [at.ip_version, at.start_ip, at.end_ip, at.network].filter(
      (column) => column !== undefined,
    ),
    readNetwork: networkReader(file, at),
    claimColumns,
    readClaim: (fields) => readClaim(fields, at),
  };
}

const COLUMNS = {
  of: 'the header',
  required: [
    'continent',
    'country_code',
    'country',
    'state',
    'city',
    'zip',
    'timezone',
    'latitude',
    'longitude',
    'accuracy',
  ],
  optional: ['ip_version', 'start_ip', 'end_ip', 'network', 'source', 'sources', 'is_dst'],
} as const;

type Columns = ColumnIndexes<(typeof COLUMNS.required)[number], (typeof COLUMNS.optional)[number]>;

function snakeCase(name: string): string {
  return name.trim().replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function networkReader(file: OpenFile, at: Columns): RowLayout['readNetwork'] {
  const { start_ip: start, end_ip: end, network: one, ip_version: version } = at;
  const read = networkColumnsReader(start, end, one);
  if (read === undefined) {
    throw new FeedError('header', file.id, 'the header has neither both ends of a range nor a network');
  }
  if (version === undefined) return read;
  return (head, network) => {
    const family = VERSIONS.get(head.textOf(version));
    if (family === undefined) return 'columns';
    return read(head, network) ?? (family === network.family ? undefined : 'family');
  };
}

const VERSIONS: ReadonlyMap<string, Family> = new Map<string, Family>([
  ['4', 4],
  ['6', 6],
  ['ipv4', 4],
  ['ipv6', 6],
]);

/** Returns undefined unless the header has either both ends of a range or a network. */
function networkColumnsReader(start?: number, end?: number, one?: number) {
  if (start !== undefined && end !== undefined && one === undefined) {
    return (head: FieldRanges, network: RowNetwork): AddressFault => network.readEnds(head, start, end);
  }
  if (start === undefined && end === undefined && one !== undefined) {
    return (head: FieldRanges, network: RowNetwork): AddressFault => network.readNetwork(head, one);
  }
  return undefined;
}

/** In this class and above, according to the publisher, only the country is reliable. */
const COUNTRY_ONLY_CLASS = 4;

function readClaim(fields: readonly string[], at: Columns): ColumnsRead {
  const accuracyClass = readAccuracy(fields[at.accuracy]!);
  if (accuracyClass === 'odd') return { refused: 'columns' };
  const isFine = accuracyClass === undefined || accuracyClass < COUNTRY_ONLY_CLASS;
  const country = fields[at.country_code]!;
  const place = readPlace(
    isFine
      ? {
          country,
          regionName: fields[at.state]!,
          cityName: fields[at.city]!,
          latitude: fields[at.latitude]!,
          longitude: fields[at.longitude]!,
        }
      : { country },
  );
  if ('refused' in place || Object.keys(place.claim).length === 0) return place;
  const timeZone = isFine ? readTimeZone(fields[at.timezone]!) : undefined;
  const isRegistration = comesFromRegistration(fieldAt(fields, at.source ?? at.sources));
  const claim: Claim = {
    ...place.claim,
    ...(timeZone !== undefined && { timeZone }),
    ...(accuracyClass !== undefined && { accuracyClass }),
    ...(isRegistration && { basis: 'registration' }),
  };
  return { ...place, claim };
}

/** Reads an accuracy class of 1 to 5. The commercial edition has fractions. */
function readAccuracy(text: string): number | 'odd' | undefined {
  if (presentText(text) === undefined) return undefined;
  if (!/^\d(\.\d+)?$/.test(text)) return 'odd';
  const accuracyClass = Math.round(Number(text));
  return accuracyClass >= 1 && accuracyClass <= 5 ? accuracyClass : 'odd';
}

/** Returns the text if it has the form of an IANA time zone: an area and a place, or UTC. */
function readTimeZone(text: string): string | undefined {
  return /^([A-Z][A-Za-z]+(\/[\w+-]+){1,2}|UTC)$/.test(text) ? text : undefined;
}

function fieldAt(fields: readonly string[], column: number | undefined): string {
  return column === undefined ? '' : fields[column]!;
}

/**
 * Whether all sources of a row (`tp1;tp2`, `geofeed|<url>`) are the description, country or registry of a whois block:
 * the place of registration, not of the network.
 */
function comesFromRegistration(sources: string): boolean {
  const names = sources.split(';').map((source) => source.trim());
  return names.every((name) => REGISTRATION_SOURCES.has(name));
}

const REGISTRATION_SOURCES: ReadonlySet<string> = new Set([
  'whoisDescrAttr',
  'whoisOnlyCountryAvailable',
  'whoisArin',
  'whoisLacnic',
]);
