import type { Route } from '../http/route.js';
import type { Parts } from '../parts.js';
import { ipBatch } from './ip-batch.js';
import { ipLookup } from './ip-lookup.js';
import { ipSources } from './ip-sources.js';
import { ownIpFlat } from './own-ip-flat.js';
import { ownIpRoot } from './own-ip-root.js';
import { ownIpText } from './own-ip-text.js';
import { ownIp } from './own-ip.js';

/** Every endpoint, in the order of `api.md`. */
export function routesOf(parts: Parts): readonly Route[] {
  return ROUTES.map((make) => make(parts));
}

const ROUTES: readonly ((parts: Parts) => Route)[] = [
  ownIp,
  ownIpFlat,
  ownIpRoot,
  ownIpText,
  ipLookup,
  ipSources,
  ipBatch,
];
