import type { Claim } from '../input/claims/claim.js';
import { hasRegions } from '../input/names/iso3166.js';
import type { FeedId } from '../feeds/feed-id.js';
import type { Places } from './places.js';
import { COORDINATE_STEPS, LEAVE_OUT_FREE_SPACE, rankOf, RULE_OF, type Level } from './precedence.js';
import {
  bitOfFeed,
  ClaimCompleter,
  type ClaimFields,
  type ClaimWeight,
  type Position,
  type ResolvedClaim,
} from './resolved-claim.js';
import { weightsOf } from './weights.js';

/** Resolves the claims of any number of networks; equal weights and cities become one object each. */
export class ClaimResolver {
  readonly #places: Places;
  readonly #weights = new Map<string, ClaimWeight>();
  readonly #cities = new Map<number, KnownCity>();
  readonly #completer: ClaimCompleter;

  constructor(places: Places) {
    this.#places = places;
    this.#completer = new ClaimCompleter(places);
  }

  /**
   * Returns the resolved claim; undefined if the claim names no country, no registered country and no anycast, and says
   * neither that the space is not delegated nor that the network has no place.
   */
  resolve(feed: FeedId, claim: Claim): ResolvedClaim | undefined {
    const fields = this.#fieldsOf(feed, claim);
    return fields && this.#completer.complete(fields);
  }

  #fieldsOf(feed: FeedId, claim: Claim): ClaimFields | undefined {
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
    return {
      weight,
      country,
      region,
      regionText,
      cityId,
      cityText: cityId === undefined ? cityName : undefined,
      position: positionOf(claim, weight.rule === 'override'),
      timeZone: city?.timeZone ?? claim.timeZone,
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
      city = { region: this.#places.regionOfCity(cityId), timeZone: this.#places.timeZoneOf(cityId) };
      this.#cities.set(cityId, city);
    }
    return city;
  }
}

/** The gazetteer's facts about a city. All claims that name the city share one object. */
interface KnownCity {
  readonly region: string | undefined;
  readonly timeZone: string | undefined;
}

const NO_PLACE = {
  country: undefined,
  region: undefined,
  regionText: undefined,
  cityId: undefined,
  cityText: undefined,
  position: undefined,
  timeZone: undefined,
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
