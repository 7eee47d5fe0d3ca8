import { HOSTING_NETWORKS } from '../../lists/cloud/hosting-networks.js';
import type { ListClaim } from '../../lists/list-claim.js';
import { ALLOWABLE_LISTS, EVERY_LIST } from '../../lists/proxy/allow-scopes.js';
import { PROXY_TYPES } from '../../lists/proxy/proxy-types.js';
import { CLOUD_PRECEDENCE } from '../cloud.js';
import { HOSTING_NETWORKS_ID, type Listing } from '../listings.js';
import { RENTED_HOSTING, TYPE_PRECEDENCE } from '../proxy-type.js';
import type { Announcer } from '../usage-type.js';
import { listing } from './listings.js';

/** Returns a number in 0..1. */
export type Random = () => number;

/** Makes a generator of numbers in 0..1 that depends only on the seed (mulberry32). */
export function random(seed: number): Random {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns the same values in another order. */
export function shuffled<T>(values: readonly T[], next: Random): T[] {
  return values
    .map((value) => ({ value, key: next() }))
    .sort((a, b) => a.key - b.key)
    .map(({ value }) => value);
}

/** Ids of all lists in rules, and one that is in no rule. */
const LISTS = [
  ...new Set([
    ...TYPE_PRECEDENCE.flatMap(({ lists }) => lists ?? []),
    ...ALLOWABLE_LISTS,
    ...CLOUD_PRECEDENCE,
    HOSTING_NETWORKS_ID,
    'operator-lists',
    'cn-carriers',
    'some-list',
  ]),
];
const TYPES = [...PROXY_TYPES.keys(), 'XYZ'];
const SCOPES = [EVERY_LIST, ...ALLOWABLE_LISTS, ...PROXY_TYPES.keys()];
const USAGES = ['DCH', 'CDN', 'ISP', 'ISP/MOB', 'COM', 'SES', 'ISP/DCH', 'RSV'];
const ASNS = [...RENTED_HOSTING.keys(), HOSTING_NETWORKS[0]!.asn, 4134, 64_496];
const USAGES_OF_AS = ['ISP', 'ISP/MOB', 'MOB', 'EDU', 'GOV', 'COM', 'ORG'];

/** Makes listings of any lists with any combination of fields; some lists have two, of a network and of its AS. */
export function anyListings(next: Random): Listing[] {
  const of = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)]!;
  const maybe = <T extends object>(share: number, fields: T): Partial<T> => (next() < share ? fields : {});
  return Array.from({ length: Math.floor(next() * 10) }, () => {
    const claim: ListClaim = {
      ...maybe(0.7, { type: of(TYPES) }),
      ...maybe(0.3, { threats: [of(['SPAM', 'SCANNER', 'BOTNET', 'OTHER'])] }),
      ...maybe(0.3, { provider: of(['Mullvad', 'Nord VPN', 'Oxylabs']) }),
      ...maybe(0.3, { usageType: of(USAGES) }),
      ...maybe(0.3, { isp: of(['Example Telecom', 'Chinanet']) }),
      ...maybe(0.3, { domain: of(['example.net', 'example.org']) }),
      ...maybe(0.1, { carrier: of(['telecom', 'unicom']) }),
      ...maybe(0.2, { fraudScore: Math.floor(next() * 100) }),
      ...maybe(0.2, { cloud: of(['Amazon AWS', 'Google', 'OVHcloud']), service: of(['EC2', 'S3']) }),
      ...maybe(0.2, { isHosting: true }),
      ...maybe(0.1, { isEdge: true }),
      ...maybe(0.1, { isOwn: true }),
      ...maybe(0.1, { allow: [of(SCOPES)] }),
      ...maybe(0.2, { evidence: of(['commercial', 'confirmed', 'scraped'] as const) }),
    };
    // Few days, so that two listings of one list sometimes have the same day.
    const days = { ageDays: of([0, 1, 2, 3, 29, 30, 31, 90]), copyAgeDays: of([0, 29, 30, 60]) };
    return listing(of(LISTS), claim, days);
  });
}

/** Makes an announcer: in a rule or not, and with some fields unknown. */
export function anyAnnouncer(next: Random): Announcer {
  const of = <T>(values: readonly T[]): T | undefined => values[Math.floor(next() * (values.length + 1))];
  return { asn: of(ASNS), usage: of(USAGES_OF_AS), isAccess: next() < 0.5 };
}
