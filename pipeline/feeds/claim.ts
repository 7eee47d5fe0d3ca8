/**
 * What one feed says about one network, in the feed's own codes and spelling. Absent means the feed says nothing:
 * 0 is a latitude.
 */
export interface Claim {
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country?: string;
  /** ISO 3166-2, e.g. `US-CA`. */
  readonly region?: string;
  /** The region as the feed spells it, where it gives no code. */
  readonly regionName?: string;
  /** GeoNames id of the city. */
  readonly cityId?: number;
  /** The city as the feed spells it, where it gives no id. */
  readonly cityName?: string;
  /** Degrees, -90..90. */
  readonly latitude?: number;
  /** Degrees, -180..180. */
  readonly longitude?: number;
  /** Kilometres around the coordinates, 1..65535. */
  readonly radiusKm?: number;
  /** IANA time zone name. */
  readonly timeZone?: string;
  /** A district of the city, as the feed spells it. */
  readonly districtName?: string;
  readonly isp?: string;
  /** Who uses the network, where the feed names somebody besides the ISP. */
  readonly organisation?: string;
  /** Announcing AS and its names, as the feed knows them. */
  readonly asn?: number;
  readonly asName?: string;
  readonly asDomain?: string;
  /** Country in which the network is registered, ISO 3166-1 alpha-2. */
  readonly registeredCountry?: string;
  /** The publisher's own grade of this row, 1 best to 5 worst; absent where it gives none. */
  readonly accuracyClass?: number;
  /** How the feed knows; absent for an ordinary observation. */
  readonly basis?: ClaimBasis;
}

/**
 * `override` is ours, `geofeed` the operator's own word (RFC 8805), `registration` a registry or whois country.
 */
export type ClaimBasis = 'override' | 'geofeed' | 'registration';

/** Claims by id: equal claims get the same id, ids count from 0 in the order of first sight. */
export class ClaimTable {
  readonly #ids = new Map<string, number>();
  readonly #claims: Claim[] = [];

  get claims(): readonly Claim[] {
    return this.#claims;
  }

  intern(claim: Claim): number {
    const key = CLAIM_FIELDS.map((field) => claim[field] ?? '').join('\u0000');
    const held = this.#ids.get(key);
    if (held !== undefined) return held;
    const id = this.#claims.length;
    this.#claims.push(claim);
    this.#ids.set(key, id);
    return id;
  }
}

const CLAIM_FIELDS = [
  'country',
  'region',
  'regionName',
  'cityId',
  'cityName',
  'latitude',
  'longitude',
  'radiusKm',
  'timeZone',
  'districtName',
  'isp',
  'organisation',
  'asn',
  'asName',
  'asDomain',
  'registeredCountry',
  'accuracyClass',
  'basis',
] as const satisfies readonly (keyof Claim)[];
