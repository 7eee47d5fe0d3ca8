import type { Download, FeedFile } from '../feeds/feed.js';
import type { List } from '../lists/list.js';
import type { ListClaim } from '../lists/list-claim.js';
import { plainFile } from '../lists/plain-file.js';

/** Folder of all clouds' files below the input directory. */
export const CLOUD_FOLDER = 'cloud';

/** What all lists of clouds have in common. Ranges of clouds change slowly: an old copy is better than none. */
export const CLOUD_TERMS = {
  version: 1,
  tolerance: 0.01,
  maxAgeDays: 180,
} as const satisfies Partial<List>;

/** A file of a cloud, in the folder of all. */
export function cloudFile(name: string, download: Download): FeedFile {
  return plainFile(CLOUD_FOLDER, name, download);
}

/** How a cloud itself calls a part of it; empty and absent are the same. */
export interface CloudLabel {
  readonly service?: string | undefined;
  readonly region?: string | undefined;
}

/** A network of data centres of a cloud. */
export function hostingClaim(cloud: string, label: CloudLabel = {}): ListClaim {
  return { cloud, usageType: 'DCH', ...present(label) };
}

/** A network of the edge of a content delivery network. */
export function edgeClaim(cloud: string, label: CloudLabel = {}): ListClaim {
  return { cloud, usageType: 'CDN', isEdge: true, ...present(label) };
}

function present({ service = '', region = '' }: CloudLabel): { service?: string; region?: string } {
  return { ...(service !== '' && { service }), ...(region !== '' && { region }) };
}
