import type { ColumnsRead } from '../../input/claims/columns-read.js';
import type { Claim } from '../../input/claims/claim.js';
import type { ColumnIndexes } from '../../input/rows/csv-rows.js';
import type { RowLayout } from '../../input/rows/network-rows.js';
import type { Reason } from '../../input/tally.js';
import type { Family } from '../../net/address.js';
import type { GeoLite2Location } from './locations.js';

/** The columns of `GeoLite2-City-Blocks-IPv{4,6}.csv`. Files before 2024 lack the last one. */
export const BLOCK_COLUMNS = {
  required: [
    'network',
    'geoname_id',
    'registered_country_geoname_id',
    'represented_country_geoname_id',
    'is_anonymous_proxy',
    'is_satellite_provider',
    'postal_code',
    'latitude',
    'longitude',
    'accuracy_radius',
  ],
  optional: ['is_anycast'],
} as const;

/** The column indexes of a blocks file. */
export type BlockColumns = ColumnIndexes<
  (typeof BLOCK_COLUMNS.required)[number],
  (typeof BLOCK_COLUMNS.optional)[number]
>;

/** Returns the layout of a blocks file with these columns. */
export function blockLayout(
  at: BlockColumns,
  family: Family,
  locations: ReadonlyMap<string, GeoLite2Location>,
): RowLayout {
  const claimColumns = [
    at.geoname_id,
    at.registered_country_geoname_id,
    at.latitude,
    at.longitude,
    at.accuracy_radius,
  ];
  if (at.is_anycast !== undefined) claimColumns.push(at.is_anycast);
  return {
    width: Object.keys(at).length,
    hasHeader: true,
    family,
    networkColumns: [at.network],
    readNetwork: (head, network) => network.readPrefix(head, at.network),
    claimColumns,
    readClaim: (fields) => readClaim(fields, at, locations),
  };
}

function readClaim(
  fields: readonly string[],
  at: BlockColumns,
  locations: ReadonlyMap<string, GeoLite2Location>,
): ColumnsRead {
  const location = findLocation(fields[at.geoname_id]!, locations);
  const registered = findLocation(fields[at.registered_country_geoname_id]!, locations);
  const refused = refusalOf(location) ?? refusalOf(registered);
  if (refused !== undefined) return { refused };
  const spot = readSpot(fields[at.latitude]!, fields[at.longitude]!, fields[at.accuracy_radius]!);
  const placed = claimOf(location as Known, registered as Known, spot);
  const claim: Claim = anycastIn(fields, at) === '1' ? { ...placed, anycast: 'listed' } : placed;
  return spot.odd ? { claim, notes: ['coordinates'] } : { claim };
}

/** Returns the location of an id, `none` for an empty id, undefined for an unknown id. */
function findLocation(
  id: string,
  locations: ReadonlyMap<string, GeoLite2Location>,
): GeoLite2Location | 'none' | undefined {
  return id === '' ? 'none' : locations.get(id);
}

/** Returns the text of the column `is_anycast`; empty in files without it. */
function anycastIn(fields: readonly string[], { is_anycast }: BlockColumns): string {
  return is_anycast === undefined ? '' : fields[is_anycast]!;
}

/** A location without an invalid country code. */
type Known = (Omit<GeoLite2Location, 'country'> & { readonly country: string | undefined }) | 'none';

function refusalOf(location: GeoLite2Location | 'none' | undefined): Reason | undefined {
  if (location === undefined) return 'reference';
  return location !== 'none' && typeof location.country === 'object' ? 'country' : undefined;
}

interface Spot {
  readonly latitude?: number;
  readonly longitude?: number;
  readonly radiusKm?: number;
  readonly odd: boolean;
}

function claimOf(location: Known, registered: Known, spot: Spot): Claim {
  const claim: { -readonly [field in keyof Claim]: Claim[field] } = {};
  const registeredCountry = registered === 'none' ? undefined : registered.country;
  if (location === 'none') {
    if (registeredCountry !== undefined) {
      claim.country = registeredCountry;
      claim.basis = 'registration';
    }
  } else {
    if (location.country !== undefined) claim.country = location.country;
    if (location.region !== undefined) claim.region = location.region;
    if (location.kind === 'city') claim.cityId = Number(location.id);
    if (location.timeZone !== undefined) claim.timeZone = location.timeZone;
  }
  if (registeredCountry !== undefined) claim.registeredCountry = registeredCountry;
  const isPlaceholder = spot.latitude === 0 && spot.longitude === 0 && claim.cityId === undefined;
  if (spot.latitude !== undefined && spot.longitude !== undefined && !isPlaceholder) {
    claim.latitude = spot.latitude;
    claim.longitude = spot.longitude;
    if (spot.radiusKm !== undefined) claim.radiusKm = spot.radiusKm;
  }
  return claim;
}

/** Reads coordinates and radius. Drops both when the coordinates are incomplete, not numbers, or out of range. */
function readSpot(latitudeText: string, longitudeText: string, radiusText: string): Spot {
  if (latitudeText === '' && longitudeText === '') return { odd: radiusText !== '' };
  const latitude = readDecimal(latitudeText, 90);
  const longitude = readDecimal(longitudeText, 180);
  if (latitude === undefined || longitude === undefined) return { odd: true };
  if (radiusText === '') return { latitude, longitude, odd: false };
  const radiusKm = readDecimal(radiusText, MAX_RADIUS_KM);
  if (radiusKm === undefined || !Number.isInteger(radiusKm) || radiusKm < 1) {
    return { latitude, longitude, odd: true };
  }
  return { latitude, longitude, radiusKm, odd: false };
}

const MAX_RADIUS_KM = 65535;

/** Parses a decimal number in `-bound..bound`. */
function readDecimal(text: string, bound: number): number | undefined {
  if (!/^-?\d{1,5}(\.\d{1,20})?$/.test(text)) return undefined;
  const value = Number(text);
  // + 0 turns -0 into 0.
  return Math.abs(value) <= bound ? value + 0 : undefined;
}
