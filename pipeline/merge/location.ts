import type { Claim } from '../feeds/claim.js';
import { FEED_IDS, type FeedId } from '../feeds/feed-id.js';
import { liesNear, voteOnCity, type ElectedCity } from './city-vote.js';
import type { Places } from './places.js';
import { DEFAULT_RADIUS_KM, REGISTERED_COUNTRY_PRECEDENCE, WITNESS_WEIGHT } from './precedence.js';
import { StatementMaker, type Spot, type Statement } from './statement.js';
import { heaviest, namesOnlyCountry, those, vote, type Outcome } from './vote.js';

/** What the merge decides about one network. Absent means nobody whose word counts knows. */
export interface Location {
  readonly country?: string | undefined;
  readonly region?: string | undefined;
  readonly regionName?: string | undefined;
  readonly cityId?: number | undefined;
  readonly cityName?: string | undefined;
  readonly latitude?: number | undefined;
  readonly longitude?: number | undefined;
  readonly radiusKm?: number | undefined;
  readonly timeZone?: string | undefined;
  readonly registeredCountry?: string | undefined;
  /** The feed with the most weight of those whose country was taken, an echo with its own. */
  readonly decidedBy?: FeedId | undefined;
  readonly rule?: Rule | undefined;
  /** Shares of weight, 10..100 in tens; present where the level is. */
  readonly countryConfidence?: number | undefined;
  readonly regionConfidence?: number | undefined;
  readonly cityConfidence?: number | undefined;
  /** Who agreed with what was decided, a set of `bitOfFeed`; present where the level is. */
  readonly countryFeeds?: number | undefined;
  readonly regionFeeds?: number | undefined;
  readonly cityFeeds?: number | undefined;
}

/** How the country was decided. */
export type Rule = 'override' | 'geofeed' | 'vote';

/** What each feed says about one network; feeds without a word are left out. */
export type Claims = Partial<Record<FeedId, Claim>>;

/** Merges what the feeds say about one network, as `decide` does. */
export function mergeLocation(claims: Claims, places: Places): Location | undefined {
  const maker = new StatementMaker(places);
  const statements = FEED_IDS.flatMap((feed) => {
    const claim = claims[feed];
    const statement = claim && maker.make(feed, claim);
    return statement ? [statement] : [];
  });
  return decide(statements);
}

/**
 * Decides about one network from what the feeds say, one statement each, in any order. A pure function: an override
 * stands alone; a geofeed wins what it states; all else is a weighted vote, the country first, the region among those
 * who agree on the country, the city among those who agree on the region. Absent when nobody says anything.
 */
export function decide(statements: readonly Statement[]): Location | undefined {
  const registeredCountry = registeredCountryOf(statements);
  const located = inOrder(those(statements, ({ country }) => country !== undefined));
  const first = located[0];
  if (!first) return registeredCountry === undefined ? undefined : { registeredCountry };
  const heard = first.voice.standing === 'alone' ? [first] : located;
  const stated = first.voice.standing === 'voter' ? undefined : first;
  const question = { ...COUNTRY, registeredCountry: countryThatMayBeEchoed(heard, registeredCountry) };
  const country = vote(heard, question, stated)!;
  const region = voteOnRegion(country.winners, stated);
  const city = voteOnCity(region ? poolOf(region, country, stated) : country.winners, stated);
  const place = city ? spotOfCity(city) : spotOfArea(country, region);
  return {
    country: country.winners[0]!.country,
    region: region?.winners[0]!.region,
    regionName: region?.winners[0]!.regionText,
    cityId: city?.named.cityId,
    cityName: city?.named.cityText,
    latitude: place.latitude,
    longitude: place.longitude,
    radiusKm: place.radiusKm,
    timeZone: place.timeZone,
    registeredCountry,
    decidedBy: heaviest(country.winners, question, (winner) => stated === undefined || winner === stated)!
      .voice.feed,
    rule: RULE_OF[first.voice.standing],
    countryConfidence: country.confidence,
    regionConfidence: region?.confidence,
    cityConfidence: city?.cluster.confidence,
    countryFeeds: feedsOf(country),
    regionFeeds: region && feedsOf(region),
    cityFeeds: city && feedsOf(city.cluster),
  };
}

const RULE_OF = { alone: 'override', outright: 'geofeed', voter: 'vote' } as const;
const COUNTRY = { level: 'country', agree: (a: Statement, b: Statement) => a.country === b.country } as const;
const REGION = {
  level: 'region',
  agree: (a: Statement, b: Statement) => a.region === b.region && a.regionText === b.regionText,
} as const;

const CITY = { level: 'city' } as const;

/** Texts cannot be compared with codes: they count only where nobody has a code, or where they are stated. */
function voteOnRegion(agreeing: readonly Statement[], stated: Statement | undefined): Outcome | undefined {
  const naming = those(agreeing, namesRegion);
  const coded = those(naming, (voter) => voter === stated || voter.region !== undefined);
  return vote(coded.length > 0 ? coded : naming, REGION, stated && namesRegion(stated) ? stated : undefined);
}

function namesRegion({ region, regionText }: Statement): boolean {
  return region !== undefined || regionText !== undefined;
}

/** Who may name the city: those of the region, and those who know no code of one but mean a place near by. */
function poolOf(region: Outcome, country: Outcome, stated: Statement | undefined): readonly Statement[] {
  const { winners } = region;
  if (winners.length === country.winners.length) return winners;
  return those(
    country.winners,
    (statement) =>
      statement === stated ||
      winners.includes(statement) ||
      (statement.region === undefined && liesNear(statement, winners)),
  );
}

type Placed = Pick<Location, 'latitude' | 'longitude' | 'radiusKm' | 'timeZone'>;

/** Coordinates of those who name this very city, else the gazetteer's, else those of a place near by. */
function spotOfCity({ named, namesakes, cluster }: ElectedCity): Placed {
  const own = heaviest(namesakes, CITY, hasSpot)?.spot ?? named.citySpot;
  const spot = own ?? heaviest(cluster.winners, CITY, hasSpot)?.spot;
  const zoned = heaviest(namesakes, CITY, hasTimeZone) ?? heaviest(cluster.winners, CITY, hasTimeZone);
  return placed(spot, named.voice.standing === 'alone' ? undefined : DEFAULT_RADIUS_KM.city, zoned?.timeZone);
}

/** Without a city: the centre of the region, or where none is known of the country, as the agreeing feeds see it. */
function spotOfArea(country: Outcome, region: Outcome | undefined): Placed {
  const { winners } = region ?? country;
  const area = region ? REGION : COUNTRY;
  const spot = heaviest(winners, area, hasSpot)?.spot;
  const radiusKm = winners[0]!.voice.standing === 'alone' ? undefined : DEFAULT_RADIUS_KM[area.level];
  return placed(spot, radiusKm, heaviest(winners, area, hasTimeZone)?.timeZone);
}

function placed(spot: Spot | undefined, radiusKm: number | undefined, timeZone: string | undefined): Placed {
  if (!spot) return { latitude: undefined, longitude: undefined, radiusKm: undefined, timeZone };
  const { latitude, longitude } = spot;
  return { latitude, longitude, radiusKm: spot.radiusKm ?? radiusKm, timeZone };
}

function hasSpot({ spot }: Statement): boolean {
  return spot !== undefined;
}

function hasTimeZone({ timeZone }: Statement): boolean {
  return timeZone !== undefined;
}

function feedsOf({ winners }: Outcome): number {
  let feeds = 0;
  for (const { voice } of winners) feeds |= voice.bit;
  return feeds;
}

/** The registered country, unless a strong voice names a place in it: then it is more than a registration. */
function countryThatMayBeEchoed(
  heard: readonly Statement[],
  registeredCountry: string | undefined,
): string | undefined {
  const isWitnessed = heard.some(
    (statement) =>
      statement.country === registeredCountry &&
      statement.voice.weights.country >= WITNESS_WEIGHT &&
      !namesOnlyCountry(statement),
  );
  return isWitnessed ? undefined : registeredCountry;
}

function registeredCountryOf(statements: readonly Statement[]): string | undefined {
  for (const feed of REGISTERED_COUNTRY_PRECEDENCE) {
    const country = statements.find(({ voice }) => voice.feed === feed)?.registeredCountry;
    if (country !== undefined) return country;
  }
  return undefined;
}

/** By precedence: a registration comes last wherever its feed stands. */
function inOrder(statements: readonly Statement[]): readonly Statement[] {
  for (let i = 1; i < statements.length; i++) {
    if (statements[i - 1]!.voice.rank > statements[i]!.voice.rank) {
      return [...statements].sort((a, b) => a.voice.rank - b.voice.rank);
    }
  }
  return statements;
}
