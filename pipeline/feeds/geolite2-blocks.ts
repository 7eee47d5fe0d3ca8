import type { Claim } from './claim.js';
import type { ColumnIndexes } from './csv-rows.js';
import type { ClaimSink } from './feed.js';
import type { GeoLite2Location } from './geolite2-locations.js';
import type { Reason } from './tally.js';

/** Columns of `GeoLite2-City-Blocks-IPv{4,6}.csv`; dumps before 2024 end at the radius. */
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

export type BlockColumns = ColumnIndexes<
  (typeof BLOCK_COLUMNS.required)[number],
  (typeof BLOCK_COLUMNS.optional)[number]
>;

/** What a block row says, its network aside. */
export interface BlockVerdict {
  /** Why the row is refused. */
  readonly refused?: Reason;
  /** The interned claim; absent when the row says nothing. */
  readonly claimId?: number;
  /** Coordinates or radius were not numbers or out of range, and are dropped. */
  readonly oddCoordinates: boolean;
}

/**
 * Verdicts by the raw text of the columns that make them: some 300,000 distinct ones over 4.9 M rows, and in every
 * third row that of the row before.
 */
export class BlockVerdicts {
  readonly #locations: ReadonlyMap<string, GeoLite2Location>;
  readonly #sink: ClaimSink;
  readonly #verdicts = new Map<string, BlockVerdict>();
  #last: BlockVerdict = { oddCoordinates: false };
  #lastFields: readonly string[] = [];
  #lastAt: BlockColumns | undefined;

  constructor(locations: ReadonlyMap<string, GeoLite2Location>, sink: ClaimSink) {
    this.#locations = locations;
    this.#sink = sink;
  }

  /** The verdict on a row of the full width, which may be kept until the next one. */
  of(fields: readonly string[], at: BlockColumns): BlockVerdict {
    if (this.#saysTheSame(fields, at)) return this.#last;
    const ids = `${fields[at.geoname_id]!},${fields[at.registered_country_geoname_id]!}`;
    const key = `${ids},${fields[at.latitude]!},${fields[at.longitude]!},${fields[at.accuracy_radius]!}`;
    let verdict = this.#verdicts.get(key);
    if (verdict === undefined) {
      verdict = this.#decide(fields, at);
      this.#verdicts.set(key, verdict);
    }
    this.#lastFields = fields;
    this.#lastAt = at;
    this.#last = verdict;
    return verdict;
  }

  #saysTheSame(fields: readonly string[], at: BlockColumns): boolean {
    const last = this.#lastFields;
    return (
      at === this.#lastAt &&
      fields[at.longitude] === last[at.longitude] &&
      fields[at.latitude] === last[at.latitude] &&
      fields[at.geoname_id] === last[at.geoname_id] &&
      fields[at.registered_country_geoname_id] === last[at.registered_country_geoname_id] &&
      fields[at.accuracy_radius] === last[at.accuracy_radius]
    );
  }

  #decide(fields: readonly string[], at: BlockColumns): BlockVerdict {
    const location = this.#find(fields[at.geoname_id]!);
    const registered = this.#find(fields[at.registered_country_geoname_id]!);
    const refused = refusalOf(location) ?? refusalOf(registered);
    if (refused !== undefined) return { refused, oddCoordinates: false };
    const spot = readSpot(fields[at.latitude]!, fields[at.longitude]!, fields[at.accuracy_radius]!);
    const claim = claimOf(location as Known, registered as Known, spot);
    const says = Object.keys(claim).length > 0;
    return { ...(says && { claimId: this.#sink.intern(claim) }), oddCoordinates: spot.odd };
  }

  /** The location of an id, `none` for an empty id, absent for one that is not in the file. */
  #find(id: string): GeoLite2Location | 'none' | undefined {
    return id === '' ? 'none' : this.#locations.get(id);
  }
}

/** A location whose country, where it has one, is a country. */
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

/** Coordinates and radius; a pair that is incomplete, no number or out of range is dropped, and its radius with it. */
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

/** A decimal number between `-bound` and `bound`. */
function readDecimal(text: string, bound: number): number | undefined {
  if (!/^-?\d{1,5}(\.\d{1,20})?$/.test(text)) return undefined;
  const value = Number(text);
  // -0 and 0 are one place.
  return Math.abs(value) <= bound ? value + 0 : undefined;
}
