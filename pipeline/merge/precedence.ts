import type { Claim, ClaimBasis } from '../feeds/claim.js';
import type { FeedId } from '../feeds/feed-id.js';

/** How much the merge believes a claim, by what it claims. Hundredths of a full voice: sums are exact. */
export interface Weights {
  readonly country: number;
  readonly region: number;
  readonly city: number;
}

/** One line of the policy: the weight of a feed's claims of one basis. */
interface Voice {
  /** Hundredths of a full voice, at every level that has no weight of its own. */
  readonly weight: number;
  readonly region?: number;
  readonly city?: number;
  /** Weights of claims that name one of these countries (ISO 3166-1). */
  readonly within?: Readonly<Record<string, number>>;
  /** Percent of the weight that the publisher's own grades leave, 1 (best) to 5. */
  readonly percentByGrade?: readonly [number, number, number, number, number];
}

/** Claims without a basis are observations. */
export type Basis = ClaimBasis | 'observation';

type FeedPolicy = Partial<Record<Basis, Voice>>;

/** ipapi.is keeps grades 4 and 5 for rows of which only the country is taken. */
const GRADED: Pick<Voice, 'percentByGrade'> = { percentByGrade: [100, 90, 75, 50, 25] };

/**
 * Whose word counts, and how much. A feed is one line; what it leaves out is in USUAL. Equal sums go to the stronger
 * basis (BASES), then to the feed whose line stands first. Weights follow the logarithm of the odds of a right
 * country, ln(p / (1 - p)), which is how far a voice of measured accuracy p moves a belief: 100 is p = 0.937. Measured
 * over 28,800 operator-stated prefixes: dbip 94.5 %, geolite2 93.7 %, ip2location 82.2 %, ip2region 72.7 %,
 * registration 63.7 %, qqwry 60.6 %; ipinfo and ipapi are estimates.
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
 * Weights for what a feed's line leaves out. Registration says where a holder is at home, which is where a network is
 * in two cases of three; several feeds repeat the same registries.
 */
const USUAL: Readonly<Record<Basis, Voice>> = {
  override: { weight: 1000 },
  geofeed: { weight: 400 },
  observation: { weight: 50 },
  registration: { weight: 30 },
};

/** The bases, the strongest first. */
export const BASES: readonly Basis[] = ['override', 'geofeed', 'observation', 'registration'];

/**
 * How claims of a basis meet others. `alone`: nobody else is asked, what it leaves out stays out. `outright`: it wins
 * every level that it states, the others vote on the levels below. Else it votes.
 */
export const STANDING: Readonly<Record<Basis, 'alone' | 'outright' | 'voter'>> = {
  override: 'alone',
  geofeed: 'outright',
  observation: 'voter',
  registration: 'voter',
};

/**
 * The most that a feed's country weighs when it is where the network is registered and the feed names no place in it:
 * such a row is as a rule the registration once more, and five feeds that repeat it are no five witnesses. Where a
 * voice of at least WITNESS_WEIGHT names a place in that country, it is no mere echo, and every feed has its own weight.
 */
export const ECHO_WEIGHT = 30;
export const WITNESS_WEIGHT = 50;

/** Less weight than this never counts as certainty: a lone claim of half a voice has a confidence of 50. */
export const FULL_VOICE = 100;

/**
 * Confidence is rounded down to multiples of this, so that 100 means nobody disagrees, and records stay few. It is also
 * the least: somebody said it, and 0 would read as certainly wrong.
 */
export const CONFIDENCE_STEP = 10;

/** Cities nearer to each other than this count as one place: suburbs, districts, other names of the same city. */
export const SAME_CITY_KM = 50;

/** Radius of coordinates that come without one, by the finest level that is known. */
export const DEFAULT_RADIUS_KM = { city: 50, region: 200, country: 1000 } as const;

/** Coordinates of observations are rounded to this many parts of a degree (about 11 m). */
export const COORDINATE_STEPS = 10_000;

/** Feeds whose registered country is taken, first to last: the registries before anybody who read them. */
export const REGISTERED_COUNTRY_PRECEDENCE: readonly FeedId[] = ['own', 'geolite2'];

/** Raised with every change to the policy: part of the key under which a compiled dataset is found again. */
export const POLICY_VERSION = 6;

/** The weights of one claim. */
export function weightsOf(feed: FeedId, { basis, country, accuracyClass }: Claim): Weights {
  const voice = POLICY[feed][basis ?? 'observation'] ?? USUAL[basis ?? 'observation'];
  const percent = accuracyClass === undefined ? 100 : (voice.percentByGrade?.[accuracyClass - 1] ?? 100);
  const local = country === undefined ? undefined : voice.within?.[country];
  const scaled = (weight: number): number => Math.max(1, Math.round((weight * percent) / 100));
  const { weight } = voice;
  return {
    country: scaled(local ?? weight),
    region: scaled(local ?? voice.region ?? weight),
    city: scaled(local ?? voice.city ?? weight),
  };
}

const FEED_ORDER = Object.keys(POLICY) as FeedId[];

/** Place of a claim in the precedence; lower is stronger, and no two feeds share one. */
export function rankOf(feed: FeedId, basis: Basis): number {
  return BASES.indexOf(basis) * FEED_ORDER.length + FEED_ORDER.indexOf(feed);
}
