import type { ListClaim } from '../lists/list-claim.js';
import { present } from '../mmdb/present.js';
import type { Listing } from './listings.js';

/** The cloud that a network belongs to. */
export interface Cloud {
  readonly provider: string;
  /** The cloud's own name of the service (`EC2`). */
  readonly service?: string;
  /** The cloud's own name of the region (`eu-west-1`). */
  readonly region?: string;
}

/**
 * Clouds that publish their ranges, by list id, in order of precedence. Within a list the most specific prefix has won
 * already. Between these lists hardly any overlap is known: some addresses of GitHub are in Azure, which hosts GitHub.
 * All other sources rank last: an AS also holds corporate space and leased blocks, so every published file ranks above
 * it.
 */
export const CLOUD_PRECEDENCE: readonly string[] = [
  'github',
  'aws',
  'azure',
  'gcp',
  'oracle',
  'cloudflare',
  'fastly',
  'digitalocean',
  'linode',
  'vultr',
];

/** Cloud names of a company's own services. They have no customers inside. */
const OWN_SERVICES: ReadonlySet<string> = new Set(['Google']);

/** Returns the cloud of the strongest listing that names one; undefined when none does. */
export function cloudOf(listings: readonly Listing[]): Cloud | undefined {
  let first: Listing | undefined;
  for (const listing of listings) {
    if (listing.claim.cloud === undefined) continue;
    if (first === undefined || placeOf(listing) < placeOf(first)) first = listing;
  }
  if (first === undefined) return undefined;
  const { cloud, service, region } = first.claim;
  return present({ provider: cloud!, service, region });
}

/** Returns whether a claim names a cloud that rents computers to customers. */
export function isCustomerCloud({ cloud }: ListClaim): boolean {
  return cloud !== undefined && !OWN_SERVICES.has(cloud);
}

function placeOf({ list }: Listing): number {
  const place = CLOUD_PRECEDENCE.indexOf(list);
  return place < 0 ? CLOUD_PRECEDENCE.length : place;
}
