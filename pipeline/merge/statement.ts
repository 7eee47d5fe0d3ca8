import type { Claim } from '../feeds/claim.js';
import { FEED_IDS, type FeedId } from '../feeds/feed-id.js';
import { pointOf, type Point } from './distance.js';
import type { Coordinates, Places } from './places.js';
import { COORDINATE_STEPS, rankOf, STANDING, weightsOf, type Weights } from './precedence.js';

/** Coordinates of a network and the radius around them, where known. */
export interface Spot extends Coordinates {
  readonly radiusKm?: number | undefined;
}

/** How much a statement counts, and as whose. Shared by all statements of equal weight. */
export interface Voice {
  readonly feed: FeedId;
  /** The feed's bit in sets of feeds. */
  readonly bit: number;
  /** Place in the precedence, lower is stronger. */
  readonly rank: number;
  readonly standing: (typeof STANDING)[keyof typeof STANDING];
  readonly weights: Weights;
}

/** What the gazetteer knows of a city. Shared by all statements that name it. */
interface KnownCity {
  readonly spot: Coordinates | undefined;
  readonly point: Point | undefined;
  readonly region: string | undefined;
  readonly timeZone: string | undefined;
}

/**
 * A claim as the merge hears it: the fields that matter for a decision, with everything that depends on the claim
 * alone looked up before. Claims that differ in nothing else make equal statements.
 */
export interface Statement {
  readonly voice: Voice;
  readonly country: string | undefined;
  /** ISO 3166-2; that of the city where the feed names none. */
  readonly region: string | undefined;
  /** The region's spelling where there is no code. */
  readonly regionText: string | undefined;
  readonly cityId: number | undefined;
  /** The city's spelling where there is no id. */
  readonly cityText: string | undefined;
  /** Where the city lies: as the gazetteer says, else as the feed does. Absent without a city. */
  readonly point: Point | undefined;
  /** The feed's own coordinates. */
  readonly spot: Spot | undefined;
  /** Those of the city in the gazetteer. */
  readonly citySpot: Spot | undefined;
  /** The time zone of the city in the gazetteer, else the feed's. */
  readonly timeZone: string | undefined;
  readonly registeredCountry: string | undefined;
}

/** Turns claims into statements; what many of them share is one object. */
export class StatementMaker {
  readonly #places: Places;
  readonly #voices = new Map<string, Voice>();
  readonly #cities = new Map<number, KnownCity>();

  constructor(places: Places) {
    this.#places = places;
  }

  /** What `claim` says to the merge. Absent when it says nothing. */
  make(feed: FeedId, claim: Claim): Statement | undefined {
    const { country, registeredCountry, cityId, cityName } = claim;
    if (country === undefined && registeredCountry === undefined) return undefined;
    const voice = this.#voiceOf(feed, claim);
    if (country === undefined) return { ...NOWHERE, voice, registeredCountry };
    const spot = spotOf(claim, voice.standing === 'alone');
    const city = cityId === undefined ? undefined : this.#cityOf(cityId);
    const namesCity = cityId !== undefined || cityName !== undefined;
    const region = regionOf(claim, city);
    const hasRegions = !WITHOUT_REGIONS.has(country);
    return {
      voice,
      country,
      region,
      regionText: hasRegions && region === undefined ? claim.regionName : undefined,
      cityId,
      cityText: cityId === undefined ? cityName : undefined,
      point: namesCity ? (city?.point ?? (spot && pointOf(spot))) : undefined,
      spot,
      citySpot: city?.spot,
      timeZone: city?.timeZone ?? claim.timeZone,
      registeredCountry,
    };
  }

  #voiceOf(feed: FeedId, claim: Claim): Voice {
    const basis = claim.basis ?? 'observation';
    const key = `${feed} ${basis} ${claim.country ?? ''} ${claim.accuracyClass ?? ''}`;
    let voice = this.#voices.get(key);
    if (voice === undefined) {
      const [bit, rank] = [bitOfFeed(feed), rankOf(feed, basis)];
      voice = { feed, bit, rank, standing: STANDING[basis], weights: weightsOf(feed, claim) };
      this.#voices.set(key, voice);
    }
    return voice;
  }

  #cityOf(cityId: number): KnownCity {
    let city = this.#cities.get(cityId);
    if (city === undefined) {
      const spot = this.#places.coordinatesOf(cityId);
      const region = this.#places.regionOfCity(cityId);
      city = { spot, point: spot && pointOf(spot), region, timeZone: this.#places.timeZoneOf(cityId) };
      this.#cities.set(cityId, city);
    }
    return city;
  }
}

/** One bit per feed, in the order of FEED_IDS. */
export function bitOfFeed(feed: FeedId): number {
  return 1 << FEED_IDS.indexOf(feed);
}

const NOWHERE = {
  country: undefined,
  region: undefined,
  regionText: undefined,
  cityId: undefined,
  cityText: undefined,
  point: undefined,
  spot: undefined,
  citySpot: undefined,
  timeZone: undefined,
} as const;

/** What feeds file as regions of HK and MO are districts. */
const WITHOUT_REGIONS: ReadonlySet<string> = new Set(['HK', 'MO']);

function regionOf({ country, region }: Claim, city: KnownCity | undefined): string | undefined {
  if (country === undefined || WITHOUT_REGIONS.has(country)) return undefined;
  if (region !== undefined) return region;
  // The gazetteer may file the city under another country: that says nothing about this one's regions.
  return city?.region?.startsWith(`${country}-`) === true ? city.region : undefined;
}

/** Claims whose coordinates need no rounding are spots as they stand. */
function spotOf(claim: Claim, isExact: boolean): Spot | undefined {
  const { latitude, longitude, radiusKm } = claim;
  if (latitude === undefined || longitude === undefined) return undefined;
  const north = isExact ? latitude : rounded(latitude);
  const east = isExact ? longitude : rounded(longitude);
  if (north === latitude && east === longitude) return claim as Spot;
  return { latitude: north, longitude: east, radiusKm };
}

/** Adding 0 makes -0 of a rounded value 0. */
function rounded(degrees: number): number {
  return Math.round(degrees * COORDINATE_STEPS) / COORDINATE_STEPS + 0;
}
