import type { Claim, ClaimBasis } from '../input/claims/claim.js';
import type { FeedId } from '../feeds/feed-id.js';

/** The weight of one claim in the vote on each level. Whole numbers, so that sums are exact; FULL_WEIGHT is 100. */
export interface Weights {
  readonly country: number;
  readonly region: number;
  readonly city: number;
}

/** The weight of a feed's claims of one basis. */
interface BasisWeight {
  /** The weight on every level that has no weight of its own below. */
  readonly weight: number;
  readonly region?: number;
  readonly city?: number;
  /** The weight, on every level, of claims that name one of these countries (ISO 3166-1). */
  readonly within?: Readonly<Record<string, number>>;
  /** The percentage of the weight that remains for each of the publisher's own grades, 1 (best) to 5. */
  readonly percentByGrade?: readonly [number, number, number, number, number];
}

/** How a feed knows what it claims. A claim without a basis is an observation. */
export type Basis = ClaimBasis | 'observation';

type FeedPolicy = Partial<Record<Basis, BasisWeight>>;

/** ipapi.is gives grades 4 and 5 to rows that are reliable for the country only. */
const GRADED: Pick<BasisWeight, 'percentByGrade'> = { percentByGrade: [100, 90, 75, 50, 25] };

/**
 * The weights of each feed, one line per feed. A basis that a line omits has its weight in DEFAULT_WEIGHTS. If sums are
 * equal, the stronger basis wins (BASES), then the feed on the earlier line.
 *
 * A weight is proportional to the log-odds of a correct country, ln(p / (1 - p)); 100 is p = 0.937. Accuracy measured
 * on 28,800 prefixes with locations published by their operators: dbip 94.5 %, geolite2 93.7 %, ip2location 82.2 %,
 * ip2region 72.7 %, registration 63.7 %, qqwry 60.6 %. The weights of ipinfo and ipapi are estimates.
 */
export const POLICY: Readonly<Record<FeedId, FeedPolicy>> = {
  own: {},
  dbip: { observation: { weight: 105, region: 95, city: 95 } },
  geolite2: { observation: { weight: 100 } },
  ipinfo: { observation: { weight: 70 } },
  ipapi: { observation: { weight: 60, ...GRADED }, registration: { weight: 30, ...GRADED } },
  ip2location: { observation: { weight: 57 } },
  ip2region: { observation: { weight: 36, within: { CN: 90 } } },
  qqwry: { observation: { weight: 16, within: { CN: 90 } } },
};

/**
 * The weights of bases that a feed's line omits. A registration gives the country of the holder, which is the country
 * of the network in two cases of three; several feeds copy the same registrations.
 */
const DEFAULT_WEIGHTS: Readonly<Record<Basis, BasisWeight>> = {
  override: { weight: 1000 },
  geofeed: { weight: 400 },
  cloud: { weight: 300 },
  exchange: { weight: 300 },
  observation: { weight: 50 },
  registration: { weight: 30 },
};

/** The bases, the strongest first. */
export const BASES: readonly Basis[] = [
  'override',
  'geofeed',
  'cloud',
  'exchange',
  'observation',
  'registration',
];

/**
 * How a claim takes part in a decision.
 * - `override`: the claim is the decision; other claims are ignored, fields that it omits stay absent.
 * - `geofeed`: the claim wins every level that it names; the other claims vote on the levels below.
 * - `statement`: the same, for what clouds and exchanges state about their own networks. Geofeeds are stronger.
 * - `vote`: the claim takes part in the weighted vote.
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
};

/**
 * The maximum weight of a claim that names only the country in which the network is registered, and no place in it.
 * Such a claim is usually a copy of the registration: five feeds that copy it are not five independent sources. The
 * limit does not apply if another claim of at least CONFIRMING_WEIGHT names a place in that country.
 */
export const COPIED_REGISTRATION_WEIGHT = 30;
/** The minimum weight of a claim that lifts the limit of COPIED_REGISTRATION_WEIGHT. */
export const CONFIRMING_WEIGHT = 50;

/** The least total weight that gives a confidence of 100: a single claim of weight 50 has a confidence of 50. */
export const FULL_WEIGHT = 100;

/**
 * Confidence is rounded down to multiples of this number, which keeps distinct records few and 100 for decisions
 * without dissent. It is also the minimum: 0 would read as certainly wrong.
 */
export const CONFIDENCE_STEP = 10;

/** Cities closer than this are the same place: suburbs, districts, other names of one city. */
export const SAME_CITY_KM = 50;

/** The radius of coordinates without one, by the finest level that was decided. */
export const DEFAULT_RADIUS_KM = { city: 50, region: 200, country: 1000 } as const;

/** Coordinates of observations are rounded to 1/10,000 of a degree (about 11 m). */
export const COORDINATE_STEPS = 10_000;

/** The feeds that give the registered country, in the order they are tried: registry data before copies of it. */
export const REGISTERED_COUNTRY_PRECEDENCE: readonly FeedId[] = ['own', 'geolite2'];

/** Part of the cache key of compiled datasets; raise it with every change to the policy. */
export const POLICY_VERSION = 7;

/** Returns the weights of one claim. */
export function weightsOf(feed: FeedId, { basis, country, accuracyClass }: Claim): Weights {
  const line = POLICY[feed][basis ?? 'observation'] ?? DEFAULT_WEIGHTS[basis ?? 'observation'];
  const percent = accuracyClass === undefined ? 100 : (line.percentByGrade?.[accuracyClass - 1] ?? 100);
  const local = country === undefined ? undefined : line.within?.[country];
  const scaled = (weight: number): number => Math.max(1, Math.round((weight * percent) / 100));
  const { weight } = line;
  return {
    country: scaled(local ?? weight),
    region: scaled(local ?? line.region ?? weight),
    city: scaled(local ?? line.city ?? weight),
  };
}

const FEED_ORDER = Object.keys(POLICY) as FeedId[];

/** Returns the position of a claim in the precedence. Lower is stronger; no two feeds have the same rank. */
export function rankOf(feed: FeedId, basis: Basis): number {
  return BASES.indexOf(basis) * FEED_ORDER.length + FEED_ORDER.indexOf(feed);
}
