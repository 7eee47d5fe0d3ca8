import type { Family } from '../net/address.js';
import type { Claim } from './claim.js';
import type { ColumnsRead } from './claim-memo.js';
import { columnsByName, type ColumnIndexes } from './csv-rows.js';
import type { OpenFile } from './feed.js';
import { FeedError } from './feed-error.js';
import type { RowLayout } from './network-rows.js';
import { presentText } from './own-place.js';
import { readPlace } from './place-columns.js';
import type { AddressFault, RowNetwork } from './row-network.js';

/**
 * The layout behind a header of ipapi.is. Names were camelCase (`startIp`, `countryCode`) and are snake_case; either
 * is read. Older dumps lack `source` and have one column `network` in place of the two ends; the commercial sample
 * has `isDst` and no version. Throws FeedError `header` for other columns.
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
    throw new FeedError('header', file.id, 'the header names neither both ends of a range nor a network');
  }
  if (version === undefined) return read;
  return (fields, network) => {
    const family = VERSIONS.get(fields[version]!);
    if (family === undefined) return 'columns';
    return read(fields, network) ?? (family === network.family ? undefined : 'family');
  };
}

const VERSIONS: ReadonlyMap<string, Family> = new Map<string, Family>([
  ['4', 4],
  ['6', 6],
  ['ipv4', 4],
  ['ipv6', 6],
]);

/** Absent unless the header has exactly one way of saying where a row is. */
function networkColumnsReader(start?: number, end?: number, one?: number) {
  if (start !== undefined && end !== undefined && one === undefined) {
    return (fields: readonly string[], network: RowNetwork): AddressFault =>
      network.readEnds(fields[start]!, fields[end]!);
  }
  if (start === undefined && end === undefined && one !== undefined) {
    return (fields: readonly string[], network: RowNetwork): AddressFault =>
      network.readNetwork(fields[one]!);
  }
  return undefined;
}

/** From this class on the publisher says that only the country is right. */
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

/** 1 to 5, in the commercial edition with a fraction. */
function readAccuracy(text: string): number | 'odd' | undefined {
  if (presentText(text) === undefined) return undefined;
  if (!/^\d(\.\d+)?$/.test(text)) return 'odd';
  const accuracyClass = Math.round(Number(text));
  return accuracyClass >= 1 && accuracyClass <= 5 ? accuracyClass : 'odd';
}

/** An IANA name by its shape: an area and a place in it, or UTC. */
function readTimeZone(text: string): string | undefined {
  return /^([A-Z][A-Za-z]+(\/[\w+-]+){1,2}|UTC)$/.test(text) ? text : undefined;
}

function fieldAt(fields: readonly string[], column: number | undefined): string {
  return column === undefined ? '' : fields[column]!;
}

/**
 * Whether every source of a row (`tp1;tp2`, `geofeed|<url>`) is the description, the country or the registry of a
 * whois block: where somebody registered, not where the network is.
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
