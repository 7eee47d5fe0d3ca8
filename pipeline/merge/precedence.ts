import type { ClaimBasis } from '../feeds/claim.js';
import type { FeedId } from '../feeds/feed-id.js';

/** Whose word counts, first to last. */
export interface Rank {
  readonly feed: FeedId;
  /** Claims of this kind; `observation` are those without a basis. */
  readonly basis: ClaimBasis | 'observation';
  /**
   * Lower ranks may add a region, a city and coordinates where they agree with what this rank states. An override
   * that names only a country means only the country.
   */
  readonly refinable: boolean;
}

/** The order in which claims are believed. */
export const PRECEDENCE: readonly Rank[] = [
  { feed: 'own', basis: 'override', refinable: false },
  { feed: 'own', basis: 'geofeed', refinable: true },
  { feed: 'geolite2', basis: 'observation', refinable: true },
  { feed: 'geolite2', basis: 'registration', refinable: true },
  { feed: 'own', basis: 'registration', refinable: true },
];

/** Feeds whose registered country is taken, first to last: the registries before anybody who read them. */
export const REGISTERED_COUNTRY_PRECEDENCE: readonly FeedId[] = ['own', 'geolite2'];

/** Raised with every change to the policy: part of the key under which a compiled dataset is found again. */
export const POLICY_VERSION = 1;
