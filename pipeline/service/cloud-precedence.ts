import type { ListClaim } from '../lists/list-claim.js';
import type { Hit, ServiceVerdict } from './service.js';

/**
 * Clouds that publish their ranges, by list id. Within a list the most specific prefix has won already, and between
 * first-party lists hardly any overlap is known: some addresses of GitHub lie in Azure, which GitHub is built on.
 * Whatever does not stand here comes last: an AS number holds corporate space and leases blocks out, so any file
 * beats it.
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

/** Labels of a cloud company's own services: no customer of its cloud is to be met there. */
const OWN_SERVICES: ReadonlySet<string> = new Set(['Google']);

/** Whose cloud an address is, out of all that lists say of it. */
export function cloudOf(hits: readonly Hit[]): ServiceVerdict['cloud'] {
  let first: Hit | undefined;
  for (const hit of hits) {
    if (hit.claim.cloud === undefined) continue;
    if (first === undefined || placeOf(hit) < placeOf(first)) first = hit;
  }
  if (first === undefined) return undefined;
  const { cloud, service, region } = first.claim;
  return {
    provider: cloud!,
    ...(service !== undefined && { service }),
    ...(region !== undefined && { region }),
  };
}

/** Whether a claim names a cloud whose customers may be met there. */
export function isCustomerCloud({ cloud }: ListClaim): boolean {
  return cloud !== undefined && !OWN_SERVICES.has(cloud);
}

function placeOf({ list }: Hit): number {
  const place = CLOUD_PRECEDENCE.indexOf(list);
  return place < 0 ? CLOUD_PRECEDENCE.length : place;
}
