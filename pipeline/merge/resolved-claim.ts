import type { AnycastSource, LastLevel } from '../input/claims/claim.js';
import { FEED_IDS, type FeedId } from '../feeds/feed-id.js';
import { spherePointOf, type SpherePoint } from './distance.js';
import type { Area, Coordinates, Places } from './places.js';
import type { Basis, Level, Rule, Weights } from './precedence.js';

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

/** A resolved claim that is being made, or overwritten with another one. */
export type WritableClaim = { -readonly [Name in keyof ResolvedClaim]: ResolvedClaim[Name] };

/** The fields of a resolved claim from which, with the facts about places, the others follow. */
export type ClaimFields = Omit<ResolvedClaim, 'point' | 'cityPosition' | 'areas'>;

/** The facts about places that complete a claim. */
export type CompletingPlaces = Pick<Places, 'coordinatesOf' | 'areaOf'>;

/** The place of a city in the gazetteer. All claims that name the city share one object. */
interface CityPlace {
  readonly position: Coordinates | undefined;
  readonly point: SpherePoint | undefined;
}

/** Completes claims with the points of cities and the areas of regions and countries; each is looked up once. */
export class ClaimCompleter {
  readonly #places: CompletingPlaces;
  readonly #cities = new Map<number, CityPlace>();
  readonly #areas = new Map<string, KnownAreas>();

  constructor(places: CompletingPlaces) {
    this.#places = places;
  }

  complete(fields: ClaimFields): ResolvedClaim {
    const claim: WritableClaim = {
      weight: fields.weight,
      country: fields.country,
      region: fields.region,
      regionText: fields.regionText,
      cityId: fields.cityId,
      cityText: fields.cityText,
      point: undefined,
      position: fields.position,
      cityPosition: undefined,
      timeZone: fields.timeZone,
      areas: NO_AREAS,
      registeredCountry: fields.registeredCountry,
      anycast: fields.anycast,
      lastLevel: fields.lastLevel,
      isUnplaced: fields.isUnplaced,
    };
    this.fill(claim);
    return claim;
  }

  /** Writes the fields of a claim that follow from the others. */
  fill(claim: WritableClaim): void {
    const { weight, country, cityId, cityText, position } = claim;
    const city = cityId === undefined ? undefined : this.#cityOf(cityId);
    const hasPoint = cityId !== undefined || cityText !== undefined || weight.rule === 'override';
    claim.point = hasPoint ? (city?.point ?? (position && spherePointOf(position))) : undefined;
    claim.cityPosition = city?.position;
    claim.areas = country === undefined ? NO_AREAS : this.#areasOf(country, claim.region);
  }

  #cityOf(cityId: number): CityPlace {
    let city = this.#cities.get(cityId);
    if (city === undefined) {
      const position = this.#places.coordinatesOf(cityId);
      this.#cities.set(cityId, (city = { position, point: position && spherePointOf(position) }));
    }
    return city;
  }

  #areasOf(country: string, region: string | undefined): KnownAreas {
    const code = region ?? country;
    let areas = this.#areas.get(code);
    if (areas === undefined) {
      const own = region === undefined ? undefined : this.#places.areaOf(region);
      this.#areas.set(code, (areas = { country: this.#places.areaOf(country), region: own }));
    }
    return areas;
  }
}

/** Returns the feed's bit in a set of feeds: bit i is the feed FEED_IDS[i]. */
export function bitOfFeed(feed: FeedId): number {
  return 1 << FEED_IDS.indexOf(feed);
}

const NO_AREAS: KnownAreas = { country: undefined, region: undefined };
