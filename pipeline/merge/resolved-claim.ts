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
export interface KnownAreas {
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
    const { weight, country, region, cityId, cityText, position } = fields;
    const city = cityId === undefined ? undefined : this.#cityOf(cityId);
    return {
      weight,
      country,
      region,
      regionText: fields.regionText,
      cityId,
      cityText,
      point: city?.point ?? claimedPointOf(fields),
      position,
      cityPosition: city?.position,
      timeZone: fields.timeZone,
      areas: country === undefined ? NO_AREAS : this.#areasOf(country, region),
      registeredCountry: fields.registeredCountry,
      anycast: fields.anycast,
      lastLevel: fields.lastLevel,
      isUnplaced: fields.isUnplaced,
    };
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
    if (areas === undefined) this.#areas.set(code, (areas = knownAreasOf(this.#places, country, region)));
    return areas;
  }
}

/** Returns the point of a claim whose city is not in the gazetteer: that of its coordinates, if it may have one. */
export function claimedPointOf({
  weight,
  cityId,
  cityText,
  position,
}: Pick<ClaimFields, 'weight' | 'cityId' | 'cityText' | 'position'>): SpherePoint | undefined {
  const hasPoint = cityId !== undefined || cityText !== undefined || weight.rule === 'override';
  return hasPoint && position ? spherePointOf(position) : undefined;
}

/** Returns the areas of a claim with a country. */
export function knownAreasOf(
  places: Pick<Places, 'areaOf'>,
  country: string,
  region: string | undefined,
): KnownAreas {
  return {
    country: places.areaOf(country),
    region: region === undefined ? undefined : places.areaOf(region),
  };
}

/** Returns the feed's bit in a set of feeds: bit i is the feed FEED_IDS[i]. */
export function bitOfFeed(feed: FeedId): number {
  return 1 << FEED_IDS.indexOf(feed);
}

/** The areas of a claim without a country. */
export const NO_AREAS: KnownAreas = { country: undefined, region: undefined };
