import type { ClaimBasis } from '../input/claims/claim.js';
import type { FeedId } from '../feeds/feed-id.js';

/** The weight of one claim in the vote on each level. Whole numbers, so that sums are exact; FULL_WEIGHT is 100. */
export interface Weights {
  readonly country: number;
  readonly region: number;
  readonly city: number;
}

/**
 * What a claim says. `registered` and `country` are claims that name a country and no place in it: a country in which
 * the network is registered, or another one. `region` and `city` are claims that name a place of that level.
 */
export type Detail = 'registered' | Level;

/** A level of a location that is voted on. */
export type Level = keyof Weights;

/** The weights of the claims of one feed and basis in one part of the world. */
export interface LevelWeights {
  /** The weight on the country, for each detail of a claim. */
  readonly country: readonly [registered: number, country: number, region: number, city: number];
  /** The weight on the region, of claims that name one. */
  readonly region: number;
  /** The weight on the city, of claims that name one. */
  readonly city: number;
}

/** The weights of a feed's claims of one basis. */
export interface BasisWeights extends LevelWeights {
  /** The weights of claims that name one of these countries (ISO 3166-1). */
  readonly within?: Readonly<Record<string, LevelWeights>>;
  /** The percentage of the weight that remains for each of the publisher's own grades, 1 (best) to 5. */
  readonly percentByGrade?: readonly [number, number, number, number, number];
}

/** How a feed knows what it claims. A claim without a basis is an observation. */
export type Basis = ClaimBasis | 'observation';

type FeedPolicy = Partial<Record<Basis, BasisWeights>>;

/** ipapi.is gives grades 4 and 5 to rows that are reliable for the country only. */
const GRADED: Pick<BasisWeights, 'percentByGrade'> = { percentByGrade: [100, 90, 75, 50, 25] };

/** Inside China, the places of Chinese feeds weigh almost as much as those of GeoLite2. */
const HOME: BasisWeights['within'] = { CN: { country: [30, 40, 70, 70], region: 270, city: 270 } };

/** See LEAST_REGION_WEIGHT_WITHOUT_GEOLITE2. */
const AMERICAN: BasisWeights['within'] = { US: { country: [25, 10, 30, 25], region: 45, city: 30 } };

const REGISTRATION = evenly(30);

/**
 * The weights of each feed, one line per feed. A basis that a line omits has its weights in DEFAULT_WEIGHTS. If sums are
 * equal, the stronger basis wins (BASES), then the feed on the earlier line.
 *
 * The weights on the country are fitted to 23,067 networks with locations published by 24 operators. An operator counts
 * with the square root of its networks, at most 30, so that none decides a weight alone. The weights give 96.1 % of the
 * networks the right country, 89.8 % as a mean over the operators; weights fitted without an operator give 95.9 % and
 * 86.6 % of that operator's networks the right one. The feeds of download/geo.mmdb alone give 95.5 % and 84.0 %. Right
 * countries by feed and detail in percent, and as a mean over the operators:
 *
 *                 registered     country       region, city
 *     geolite2    80.8  81.4     5.8  22.9     98.9  92.6
 *     dbip        96.7  92.6    88.4  59.9
 *     ipinfo      94.9  88.4    98.7  61.8
 *     ip2location 89.8  72.8    89.5  31.0
 *     qqwry       85.5  61.0    51.4  13.5     92.3  72.0
 *     ip2region   87.9  55.6    50.9  17.1     77.0  54.4
 *     own         83.1  76.5
 *
 * Outside of China, a place that only ip2region or only qqwry names is seldom right, except for regions of the US by
 * ip2region, and one that both name is right in most cases (LEAST_PLACE_WEIGHT). Estimates, because there were no such
 * claims to measure: the places of dbip, ipinfo and ip2location, all weights of ipapi, and the weights within CN.
 */
export const POLICY: Readonly<Record<FeedId, FeedPolicy>> = {
  own: {},
  geolite2: { observation: { country: [30, 40, 115, 115], region: 300, city: 300 } },
  dbip: { observation: { country: [90, 70, 100, 100], region: 250, city: 250 } },
  ipinfo: { observation: { country: [40, 60, 80, 80], region: 200, city: 200 } },
  ipapi: {
    observation: { country: [30, 25, 60, 60], region: 160, city: 160, ...GRADED },
    registration: { ...REGISTRATION, ...GRADED },
  },
  ip2location: { observation: { country: [30, 10, 70, 70], region: 150, city: 150 } },
  qqwry: { observation: { country: [20, 10, 40, 40], region: 40, city: 40, within: HOME } },
  ip2region: {
    observation: { country: [25, 10, 30, 25], region: 30, city: 30, within: { ...HOME, ...AMERICAN } },
  },
};

/**
 * The weights of bases that a feed's line omits. A registration gives the country of the holder, which is the country
 * of the network in three cases of four.
 */
export const DEFAULT_WEIGHTS: Readonly<Record<Basis, BasisWeights>> = {
  override: evenly(3000),
  geofeed: evenly(1200),
  cloud: evenly(900),
  exchange: evenly(900),
  observation: evenly(50),
  registration: REGISTRATION,
  'not-delegated': REGISTRATION,
};

/** The bases, the strongest first. */
export const BASES: readonly Basis[] = [
  'override',
  'geofeed',
  'cloud',
  'exchange',
  'observation',
  'registration',
  'not-delegated',
];

/**
 * How a claim takes part in a decision.
 * - `override`: the claim wins every level that it names; the other claims vote on the rest, except where it states that
 *   there is nothing.
 * - `geofeed`: the same, without such statements.
 * - `statement`: the same as `geofeed`, for what clouds and exchanges state about their own networks. Geofeeds are stronger.
 * - `vote`: the claim takes part in the weighted vote. `not-delegated` claims have no location and so no vote.
 */
export type Rule = 'override' | 'geofeed' | 'statement' | 'vote';

/** The rule for claims of each basis. */
export const RULE_OF: Readonly<Record<Basis, Rule>> = {
  override: 'override',
  geofeed: 'geofeed',
  cloud: 'statement',
  exchange: 'statement',
  observation: 'vote',
  registration: 'vote',
  'not-delegated': 'vote',
};

/**
 * The feeds that leave out space that is not delegated. A row of them shows that the space was delegated or is used. The
 * other feeds fill it: with the country of the registry, or with that of a former holder.
 *
 * Shares of the networks that AFRINIC listed as available or reserved on 2026-05-05 (20,326 /24s and 7,364 blocks of IPv6)
 * with a country: geolite2 1.3 % and 0.3 %, ipinfo 0.8 % and 0.1 %; dbip 100 % of both, ip2region 84.3 %, ip2location 83.4 %
 * and qqwry 63.0 % of the /24s. ipapi was not measured.
 */
export const LEAVE_OUT_FREE_SPACE: readonly FeedId[] = ['geolite2', 'ipinfo'];

/**
 * The least support of a region or city by vote; below it the level stays undecided. Outside of China neither ip2region
 * nor qqwry reaches it alone, but both together do.
 */
export const LEAST_PLACE_WEIGHT = 50;

/**
 * The least support of a region in files without GeoLite2. In the US, ip2region reaches it alone. Its region there is
 * right for 74 % of 1,484 networks that operators publish, in other countries except China for 18 % of 566. With
 * GeoLite2 it would add only regions that GeoLite2 leaves open, and those are wrong (0 of 12 right).
 */
export const LEAST_REGION_WEIGHT_WITHOUT_GEOLITE2 = 45;

/** The least total weight that gives a share of 100: a single claim of weight 30 has a share of 30. */
export const FULL_WEIGHT = 100;

/** Shares are rounded down to multiples of this number, so that 100 means no dissent. It is also the minimum. */
export const SHARE_STEP = 10;

/** Cities closer than this are the same place: suburbs, districts, other names of one city. */
export const SAME_CITY_KM = 50;

/** The radius of coordinates for which neither claim nor gazetteer has one, by the finest level that was decided. */
export const DEFAULT_RADIUS_KM = { city: 50, region: 200, country: 1000 } as const;

/**
 * The greatest radius of a claim's coordinates that are a place in the decided area, as a share of the area's radius in
 * the gazetteer. Coordinates with a greater or no radius are the feed's point for the whole area. The gazetteer's are
 * used instead, which are nearer to most addresses (evaluate/README.md).
 */
export const PRECISE_SHARE = 0.5;

/** Coordinates of observations are rounded to 1/10,000 of a degree (about 11 m). */
export const COORDINATE_STEPS = 10_000;

/** The feeds that give the registered country, in the order they are tried: registry data before copies of it. */
export const REGISTERED_COUNTRY_PRECEDENCE: readonly FeedId[] = ['own', 'geolite2'];

/** Part of the cache key of compiled datasets; raise it with every change to the policy. */
export const POLICY_VERSION = 17;

/** The details of claims, the least first. */
export const DETAILS: readonly Detail[] = ['registered', 'country', 'region', 'city'];

/** Returns equal weights for all levels and details. */
function evenly(weight: number): LevelWeights {
  return { country: [weight, weight, weight, weight], region: weight, city: weight };
}

const FEED_ORDER = Object.keys(POLICY) as FeedId[];

/** Returns the position of a claim in the precedence. Lower is stronger; no two feeds have the same rank. */
export function rankOf(feed: FeedId, basis: Basis): number {
  return BASES.indexOf(basis) * FEED_ORDER.length + FEED_ORDER.indexOf(feed);
}
