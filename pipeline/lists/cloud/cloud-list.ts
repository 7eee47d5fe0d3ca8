import type { List } from '../list.js';
import type { ListClaim } from '../list-claim.js';

/** The common properties of lists of clouds. Their ranges change slowly, so an old copy is better than none. */
export const CLOUD_TERMS = {
  version: 1,
  tolerance: 0.01,
  maxAgeDays: 180,
} as const satisfies Partial<List>;

/** A cloud's names for its service and region. Empty means absent. */
export interface CloudLabel {
  readonly service?: string | undefined;
  readonly region?: string | undefined;
}

/** Creates the claim of a network in data centres of a cloud. */
export function hostingClaim(cloud: string, label: CloudLabel = {}): ListClaim {
  return { cloud, usageType: 'DCH', ...present(label) };
}

/** Creates the claim of a network at the edge of a content delivery network. */
export function edgeClaim(cloud: string, label: CloudLabel = {}): ListClaim {
  return { cloud, usageType: 'CDN', isEdge: true, ...present(label) };
}

function present({ service = '', region = '' }: CloudLabel): { service?: string; region?: string } {
  return { ...(service !== '' && { service }), ...(region !== '' && { region }) };
}
