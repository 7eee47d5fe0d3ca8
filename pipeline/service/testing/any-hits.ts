import { HOSTING_NETWORKS } from '../../cloud/hosting-networks.js';
import type { ListClaim } from '../../lists/list-claim.js';
import { ALLOWABLE_LISTS, EVERY_LIST } from '../../proxy/allow-scopes.js';
import { PROXY_TYPES } from '../../proxy/proxy-types.js';
import { RENTED_HOSTING } from '../believed-type.js';
import { CLOUD_PRECEDENCE } from '../cloud-precedence.js';
import { HOSTING_NETWORKS_ID } from '../origin-classes.js';
import type { Hit, Surroundings } from '../service.js';
import { TYPE_PRECEDENCE } from '../type-precedence.js';
import { USAGE_BY_NETWORK_TYPE } from '../usage-type.js';
import { hit } from './hits.js';

/** Numbers in 0..1. */
export type Random = () => number;

/** Numbers in 0..1, the same ones for the same seed (mulberry32). */
export function random(seed: number): Random {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The same values in another order. */
export function shuffled<T>(values: readonly T[], next: Random): T[] {
  return values
    .map((value) => ({ value, key: next() }))
    .sort((a, b) => a.key - b.key)
    .map(({ value }) => value);
}

/** Ids of all lists that a rule names, and of one that none does. */
const LISTS = [
  ...new Set([
    ...TYPE_PRECEDENCE.flatMap(({ lists }) => lists ?? []),
    ...ALLOWABLE_LISTS,
    ...CLOUD_PRECEDENCE,
    ...[HOSTING_NETWORKS_ID, 'operator-lists', 'cn-carriers', 'some-list'],
  ]),
];
const TYPES = [...PROXY_TYPES.keys(), 'XYZ'];
const SCOPES = [EVERY_LIST, ...ALLOWABLE_LISTS, ...PROXY_TYPES.keys()];
const USAGES = ['DCH', 'CDN', 'ISP', 'ISP/MOB', 'COM', 'SES', 'ISP/DCH', 'RSV'];
const ASNS = [...RENTED_HOSTING.keys(), HOSTING_NETWORKS[0]!.asn, 4134, 64_496];
const NETWORK_TYPES = [...USAGE_BY_NETWORK_TYPE.keys(), 'Content', 'Route Server', ''];

/** Hits with any fields in any combination, of any lists; some lists speak twice, of a network and of its AS. */
export function anyHits(next: Random): Hit[] {
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
    // Few days: of two words of one list some are of the same one.
    const days = { ageDays: of([0, 1, 2, 3, 29, 30, 31, 90]), copyAgeDays: of([0, 29, 30, 60]) };
    return hit(of(LISTS), claim, days);
  });
}

/** Surroundings that are told apart and others, known in part. */
export function anySurroundings(next: Random): Surroundings {
  const of = <T>(values: readonly T[]): T | undefined => values[Math.floor(next() * (values.length + 1))];
  return { asn: of(ASNS), networkType: of(NETWORK_TYPES) };
}
