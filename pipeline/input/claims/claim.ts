import { ClaimFormat } from './claim-format.js';

/** The claim of one feed about one network, in the codes and spelling of the feed. Unknown fields are absent. */
export interface Claim {
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country?: string;
  /** ISO 3166-2, for example `US-CA`. */
  readonly region?: string;
  /** The name of the region in the spelling of the feed, when the feed gives no code. */
  readonly regionName?: string;
  /** The GeoNames id of the city. */
  readonly cityId?: number;
  /** The name of the city in the spelling of the feed, when the feed gives no id. */
  readonly cityName?: string;
  /** Degrees, -90..90. */
  readonly latitude?: number;
  /** Degrees, -180..180. */
  readonly longitude?: number;
  /** Kilometres around the coordinates, 1..65535. */
  readonly radiusKm?: number;
  /** IANA time zone name. */
  readonly timeZone?: string;
  /** A district of the city, in the spelling of the feed. */
  readonly districtName?: string;
  readonly isp?: string;
  /** The user of the network, when the feed names one besides the ISP. */
  readonly organisation?: string;
  /** The announcing AS and its names, according to the feed. */
  readonly asn?: number;
  readonly asName?: string;
  readonly asDomain?: string;
  /** The country of registration, ISO 3166-1 alpha-2. */
  readonly registeredCountry?: string;
  /** The publisher's accuracy class of the row: 1 (best) to 5 (worst). */
  readonly accuracyClass?: number;
  /** How the feed knows the location; absent for an ordinary observation. */
  readonly basis?: ClaimBasis;
  /** Present if the network is announced from many places: it then has no city. */
  readonly anycast?: AnycastSource;
  /** The id of the file with the operator's own statement; absent for other claims. */
  readonly statedBy?: string;
  /** The last level on which the network has a place: the claim states that there is none below. Only in overrides. */
  readonly lastLevel?: LastLevel;
  /** Present if the claim states that the network has no coordinates. Only in overrides. */
  readonly coordinates?: 'none';
}

/** `none`: the network has no place at all. */
export type LastLevel = (typeof LAST_LEVELS)[number];
export const LAST_LEVELS = ['none', 'country', 'region'] as const;

/**
 * How a feed knows a location: `override` is our own correction, `geofeed` the operator's publication (RFC 8805),
 * `cloud` the region that a cloud states for its network, `exchange` the place that an internet exchange states for its
 * LAN, `registration` the country in a registry or whois block. `not-delegated` is a claim without a location: a registry
 * lists the space as available or reserved.
 */
export type ClaimBasis = (typeof CLAIM_BASES)[number];
export const CLAIM_BASES = [
  'override',
  'geofeed',
  'cloud',
  'exchange',
  'registration',
  'not-delegated',
] as const;

/** Who says that a network is anycast: `stated` by its operator, `listed` by others who observe it. */
export type AnycastSource = (typeof ANYCAST_SOURCES)[number];
export const ANYCAST_SOURCES = ['stated', 'listed'] as const;

/** The fields of a claim as they are compared and written, in writing order. */
export const CLAIM_FORMAT = new ClaimFormat<Claim>(
  { kind: 'feed', databaseType: 'ipatlas-Claims' },
  {
    country: 'string',
    region: 'string',
    regionName: 'string',
    cityId: 'uint32',
    cityName: 'string',
    latitude: 'double',
    longitude: 'double',
    radiusKm: 'uint16',
    timeZone: 'string',
    districtName: 'string',
    isp: 'string',
    organisation: 'string',
    asn: 'uint32',
    asName: 'string',
    asDomain: 'string',
    registeredCountry: 'string',
    accuracyClass: 'uint16',
    basis: CLAIM_BASES,
    anycast: ANYCAST_SOURCES,
    statedBy: 'string',
    lastLevel: LAST_LEVELS,
    coordinates: ['none'],
  },
);
