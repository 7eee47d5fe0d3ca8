import type { Claim } from '../feeds/claim.js';
import { FEED_IDS, type FeedId } from '../feeds/feed-id.js';
import { pointOf, type Point } from './distance.js';
import type { Coordinates, Places } from './places.js';
import { COORDINATE_STEPS, rankOf, STANDING, weightsOf, type Weights } from './precedence.js';

/** Coordinates of a network and the radius around them, where known. */
export interface Spot extends Coordinates {
  readonly radiusKm: number | undefined;
}

/**
 * A claim as the merge hears it: the fields that matter for a decision, with everything that depends on the claim
 * alone looked up before. Claims that differ in nothing else make equal statements.
 */
export interface Statement {
  readonly feed: FeedId;
  /** The feed's bit in sets of feeds. */
  readonly bit: number;
  /** Place in the precedence, lower is stronger. */
  readonly rank: number;
  readonly standing: (typeof STANDING)[keyof typeof STANDING];
  readonly weights: Weights;
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

/** What `claim` says to the merge. Absent when it says nothing. */
export function statementOf(feed: FeedId, claim: Claim, places: Places): Statement | undefined {
  const { country, registeredCountry, cityId } = claim;
  if (country === undefined && registeredCountry === undefined) return undefined;
  const basis = claim.basis ?? 'observation';
  const standing = STANDING[basis];
  const isCity = country !== undefined && (cityId ?? claim.cityName) !== undefined;
  const spot = country === undefined ? undefined : spotOf(claim, standing === 'alone');
  const coordinates = isCity && cityId !== undefined ? places.coordinatesOf(cityId) : undefined;
  const where = isCity ? (coordinates ?? spot) : undefined;
  return {
    feed,
    bit: bitOfFeed(feed),
    rank: rankOf(feed, basis),
    standing,
    weights: weightsOf(feed, claim),
    country,
    ...regionOf(claim, places),
    cityId: isCity ? cityId : undefined,
    cityText: isCity && cityId === undefined ? claim.cityName : undefined,
    point: where && pointOf(where),
    spot,
    citySpot: coordinates && { ...coordinates, radiusKm: undefined },
    timeZone: timeZoneOf(claim, places),
    registeredCountry,
  };
}

/** Equal keys, equal statements of one feed. */
export function keyOfStatement(statement: Statement): string {
  const { rank, weights, country, region, regionText, cityId, cityText, spot } = statement;
  const place = [
    country,
    region,
    regionText,
    cityId,
    cityText,
    spot?.latitude,
    spot?.longitude,
    spot?.radiusKm,
  ];
  const { country: weight, region: regionWeight, city: cityWeight } = weights;
  const rest = [statement.timeZone, statement.registeredCountry, rank, weight, regionWeight, cityWeight];
  return [...place, ...rest].join('\u0000');
}

/** One bit per feed, in the order of FEED_IDS. */
export function bitOfFeed(feed: FeedId): number {
  return 1 << FEED_IDS.indexOf(feed);
}

/** HK and MO have no regions: what feeds file there are districts. */
function regionOf(claim: Claim, places: Places): Pick<Statement, 'region' | 'regionText'> {
  const { country, cityId } = claim;
  if (country === undefined || country === 'HK' || country === 'MO') {
    return { region: undefined, regionText: undefined };
  }
  const ofCity = cityId === undefined ? undefined : places.regionOfCity(cityId);
  // The gazetteer may file the city under another country: that says nothing about this one's regions.
  const region = claim.region ?? (ofCity?.startsWith(`${country}-`) === true ? ofCity : undefined);
  return { region, regionText: region === undefined ? claim.regionName : undefined };
}

function timeZoneOf({ country, cityId, timeZone }: Claim, places: Places): string | undefined {
  if (country === undefined) return undefined;
  return (cityId === undefined ? undefined : places.timeZoneOf(cityId)) ?? timeZone;
}

function spotOf(claim: Claim, isExact: boolean): Spot | undefined {
  const { latitude, longitude, radiusKm } = claim;
  if (latitude === undefined || longitude === undefined) return undefined;
  if (isExact) return { latitude, longitude, radiusKm };
  return { latitude: rounded(latitude), longitude: rounded(longitude), radiusKm };
}

/** Adding 0 makes -0 of a rounded value 0. */
function rounded(degrees: number): number {
  return Math.round(degrees * COORDINATE_STEPS) / COORDINATE_STEPS + 0;
}
