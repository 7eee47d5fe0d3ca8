import type { AnycastSource, Claim, LastLevel } from '../input/claims/claim.js';
import { hasRegions } from '../input/names/iso3166.js';
import { FEED_IDS, type FeedId } from '../feeds/feed-id.js';
import { spherePointOf, type SpherePoint } from './distance.js';
import type { Area, Coordinates, Places } from './places.js';
import {
  COORDINATE_STEPS,
  LEAVE_OUT_FREE_SPACE,
  rankOf,
  RULE_OF,
  type Basis,
  type Level,
  type Rule,
  type Weights,
} from './precedence.js';
import { weightsOf } from './weights.js';

/** Coordinates and, where known, the radius around them. */
export interface Position extends Coordinates {
  readonly radiusKm?: number | undefined;
}

/** The weight of a claim on each level, with its feed, basis and rank. Claims of equal weight share one object. */
export interface ClaimWeight extends Weights {
  /** The finest level that the claim names. */
  readonly detail: Level;
  /** The weight on the country if the claim names only the country, and the network is registered there. */
  readonly registered: number;
  readonly feed: FeedId;
  /** The feed's bit in a set of feeds. */
  readonly bit: number;
  /** The position in the precedence; lower is stronger. */
  readonly rank: number;
  readonly basis: Basis;
  readonly rule: Rule;
  /** Whether the claim counts in space that is not delegated: a statement, or from a feed that leaves such space out. */
  readonly showsUse: boolean;
}

/** The gazetteer's facts about a city. All claims that name the city share one object. */
interface KnownCity {
  readonly position: Coordinates | undefined;
  readonly point: SpherePoint | undefined;
  readonly region: string | undefined;
  readonly timeZone: string | undefined;
}

/** The gazetteer's areas of the country and region of a claim. */
interface KnownAreas {
  readonly country: Area | undefined;
  readonly region: Area | undefined;
}

/**
 * A claim ready for the decision: the fields that a decision depends on, with weight and gazetteer facts looked up.
 * Claims that differ only in other fields have equal resolved claims.
 */
export interface ResolvedClaim {
  readonly weight: ClaimWeight;
  readonly country: string | undefined;
  /** ISO 3166-2; the city's region if the feed names none. */
  readonly region: string | undefined;
  /** The feed's spelling of the region if the region has no code. */
  readonly regionText: string | undefined;
  readonly cityId: number | undefined;
  /** The feed's spelling of the city if the city has no id. */
  readonly cityText: string | undefined;
  /**
   * The position of the city according to the gazetteer, else according to the feed. Absent without a city, except for
   * an override with coordinates.
   */
  readonly point: SpherePoint | undefined;
  /** The coordinates that the feed gives. */
  readonly position: Position | undefined;
  /** The coordinates of the city in the gazetteer. */
  readonly cityPosition: Position | undefined;
  /** The time zone of the city in the gazetteer, else the feed's. */
  readonly timeZone: string | undefined;
  readonly areas: KnownAreas;
  readonly registeredCountry: string | undefined;
  readonly anycast: AnycastSource | undefined;
  /** The last level on which an override lets the network have a place. */
  readonly lastLevel: LastLevel | undefined;
  /** Whether an override states that the network has no coordinates. */
  readonly isUnplaced: boolean;
}

/** Resolves the claims of any number of networks; equal weights and cities become one object each. */
export class ClaimResolver {
  readonly #places: Places;
  readonly #weights = new Map<string, ClaimWeight>();
  readonly #cities = new Map<number, KnownCity>();
  readonly #areas = new Map<string, KnownAreas>();

  constructor(places: Places) {
    this.#places = places;
  }

  /**
   * Returns the resolved claim; undefined if the claim names no country, no registered country and no anycast, and says
   * neither that the space is not delegated nor that the network has no place.
   */
  resolve(feed: FeedId, claim: Claim): ResolvedClaim | undefined {
    const { country, registeredCountry, cityId, cityName, anycast, lastLevel } = claim;
    if (country === undefined) {
      const isStated = claim.basis === 'not-delegated' || lastLevel !== undefined;
      if (registeredCountry === undefined && anycast === undefined && !isStated) return undefined;
      const weight = this.#weightOf(feed, claim, 'country');
      return { ...NO_PLACE, weight, registeredCountry, anycast, lastLevel };
    }
    const city = cityId === undefined ? undefined : this.#cityOf(cityId);
    const namesCity = cityId !== undefined || cityName !== undefined;
    const region = regionOf(claim, city);
    const regionText = hasRegions(country) && region === undefined ? claim.regionName : undefined;
    const namesRegion = region !== undefined || regionText !== undefined;
    const weight = this.#weightOf(feed, claim, namesCity ? 'city' : namesRegion ? 'region' : 'country');
    const isOverride = weight.rule === 'override';
    const position = positionOf(claim, isOverride);
    return {
      weight,
      country,
      region,
      regionText,
      cityId,
      cityText: cityId === undefined ? cityName : undefined,
      point: namesCity || isOverride ? (city?.point ?? (position && spherePointOf(position))) : undefined,
      position,
      cityPosition: city?.position,
      timeZone: city?.timeZone ?? claim.timeZone,
      areas: this.#areasOf(country, region),
      registeredCountry,
      anycast,
      lastLevel,
      isUnplaced: claim.coordinates === 'none',
    };
  }

  #weightOf(feed: FeedId, claim: Claim, detail: Level): ClaimWeight {
    const basis = claim.basis ?? 'observation';
    const key = `${feed} ${basis} ${claim.country ?? ''} ${claim.accuracyClass ?? ''} ${detail}`;
    let weight = this.#weights.get(key);
    if (weight === undefined) {
      weight = {
        feed,
        bit: bitOfFeed(feed),
        rank: rankOf(feed, basis),
        basis,
        rule: RULE_OF[basis],
        showsUse: RULE_OF[basis] !== 'vote' || LEAVE_OUT_FREE_SPACE.includes(feed),
        detail,
        registered: weightsOf(feed, claim, 'registered').country,
        ...weightsOf(feed, claim, detail),
      };
      this.#weights.set(key, weight);
    }
    return weight;
  }

  #cityOf(cityId: number): KnownCity {
    let city = this.#cities.get(cityId);
    if (city === undefined) {
      const position = this.#places.coordinatesOf(cityId);
      const region = this.#places.regionOfCity(cityId);
      const timeZone = this.#places.timeZoneOf(cityId);
      city = { position, point: position && spherePointOf(position), region, timeZone };
      this.#cities.set(cityId, city);
    }
    return city;
  }

  #areasOf(country: string, region: string | undefined): KnownAreas {
    const code = region ?? country;
    let areas = this.#areas.get(code);
    if (areas === undefined) {
      const own = region === undefined ? undefined : this.#places.areaOf(region);
      areas = { country: this.#places.areaOf(country), region: own };
      this.#areas.set(code, areas);
    }
    return areas;
  }
}

/** Returns the feed's bit in a set of feeds: bit i is the feed FEED_IDS[i]. */
export function bitOfFeed(feed: FeedId): number {
  return 1 << FEED_IDS.indexOf(feed);
}

const NO_PLACE = {
  country: undefined,
  region: undefined,
  regionText: undefined,
  cityId: undefined,
  cityText: undefined,
  point: undefined,
  position: undefined,
  cityPosition: undefined,
  timeZone: undefined,
  areas: { country: undefined, region: undefined },
  isUnplaced: false,
} as const;

function regionOf(claim: Claim, city: KnownCity | undefined): string | undefined {
  const { country, region, lastLevel } = claim;
  if (country === undefined || !hasRegions(country) || lastLevel === 'country') return undefined;
  if (region !== undefined) return region;
  // The gazetteer may list the city under another country; its region then does not belong to this country.
  return city?.region?.startsWith(`${country}-`) === true ? city.region : undefined;
}

/** Returns the claim itself if its coordinates need no rounding. */
function positionOf(claim: Claim, isExact: boolean): Position | undefined {
  const { latitude, longitude, radiusKm } = claim;
  if (latitude === undefined || longitude === undefined) return undefined;
  const north = isExact ? latitude : rounded(latitude);
  const east = isExact ? longitude : rounded(longitude);
  if (north === latitude && east === longitude) return claim as Position;
  return { latitude: north, longitude: east, radiusKm };
}

/** Adding 0 turns -0 into 0. */
function rounded(degrees: number): number {
  return Math.round(degrees * COORDINATE_STEPS) / COORDINATE_STEPS + 0;
}
