import type { Claim } from '../../input/claims/claim.js';
import type { ColumnIndexes } from '../../input/rows/csv-rows.js';
import type { ClaimSink } from '../../input/claims/claim-sink.js';
import type { GeoLite2Location } from './locations.js';
import type { Reason } from '../../input/tally.js';

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

/** The result of reading a block row, without its network. */
export interface BlockClaim {
  /** The reason why the row is rejected. */
  readonly refused?: Reason;
  /** The id of the claim; absent when the claim is empty. */
  readonly claimId?: number;
  /** Whether coordinates or radius were dropped because they are not numbers or out of range. */
  readonly oddCoordinates: boolean;
}

/**
 * Reads the claims of block rows once per distinct combination of texts: about 300,000 over 4.9 million rows. Every
 * third row repeats the row before.
 */
export class BlockClaims {
  readonly #locations: ReadonlyMap<string, GeoLite2Location>;
  readonly #sink: ClaimSink;
  readonly #rowClaims = new Map<string, BlockClaim>();
  #last: BlockClaim = { oddCoordinates: false };
  #lastFields: readonly string[] = [];
  #lastAt: BlockColumns | undefined;

  constructor(locations: ReadonlyMap<string, GeoLite2Location>, sink: ClaimSink) {
    this.#locations = locations;
    this.#sink = sink;
  }

  /** Returns the result for a row of the full width. Keeps `fields` until the next call. */
  of(fields: readonly string[], at: BlockColumns): BlockClaim {
    if (this.#repeats(fields, at)) return this.#last;
    const ids = `${fields[at.geoname_id]!},${fields[at.registered_country_geoname_id]!}`;
    const spot = `${fields[at.latitude]!},${fields[at.longitude]!},${fields[at.accuracy_radius]!}`;
    const key = `${ids},${spot},${anycastIn(fields, at)}`;
    let rowClaim = this.#rowClaims.get(key);
    if (rowClaim === undefined) {
      rowClaim = this.#decide(fields, at);
      this.#rowClaims.set(key, rowClaim);
    }
    this.#lastFields = fields;
    this.#lastAt = at;
    this.#last = rowClaim;
    return rowClaim;
  }

  #repeats(fields: readonly string[], at: BlockColumns): boolean {
    const last = this.#lastFields;
    return (
      at === this.#lastAt &&
      fields[at.longitude] === last[at.longitude] &&
      fields[at.latitude] === last[at.latitude] &&
      fields[at.geoname_id] === last[at.geoname_id] &&
      fields[at.registered_country_geoname_id] === last[at.registered_country_geoname_id] &&
      fields[at.accuracy_radius] === last[at.accuracy_radius] &&
      anycastIn(fields, at) === anycastIn(last, at)
    );
  }

  #decide(fields: readonly string[], at: BlockColumns): BlockClaim {
    const location = this.#find(fields[at.geoname_id]!);
    const registered = this.#find(fields[at.registered_country_geoname_id]!);
    const refused = refusalOf(location) ?? refusalOf(registered);
    if (refused !== undefined) return { refused, oddCoordinates: false };
    const spot = readSpot(fields[at.latitude]!, fields[at.longitude]!, fields[at.accuracy_radius]!);
    const placed = claimOf(location as Known, registered as Known, spot);
    const claim: Claim = anycastIn(fields, at) === '1' ? { ...placed, anycast: 'listed' } : placed;
    const hasClaim = Object.keys(claim).length > 0;
    return { ...(hasClaim && { claimId: this.#sink.intern(claim) }), oddCoordinates: spot.odd };
  }

  /** Returns the location of an id, `none` for an empty id, undefined for an unknown id. */
  #find(id: string): GeoLite2Location | 'none' | undefined {
    return id === '' ? 'none' : this.#locations.get(id);
  }
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
