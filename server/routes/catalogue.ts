import type { Route } from '../http/route.js';
import type { Parts } from '../parts.js';

/** Every endpoint, in the order of `api.md`. */
export function routesOf(parts: Parts): readonly Route[] {
  return ROUTES.map((make) => make(parts));
}

const ROUTES: readonly ((parts: Parts) => Route)[] = [];
