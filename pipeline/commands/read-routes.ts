import { join } from 'node:path';
import { z } from 'zod';
import { readMmdbFile } from '../mmdb/read.js';
import type { RouteOrigins } from '../release/compare-routes.js';

/** The part of a record that a comparison looks at; a record without a prefix tells of an allocation alone. */
interface Route {
  readonly prefix?: string | undefined;
  readonly origin?: number | undefined;
  /** The covering route, which more specific ones may hide. */
  readonly parent?: Route | undefined;
}
const routeSchema: z.ZodType<Route> = z.object({
  prefix: z.string().optional(),
  origin: z.int().optional(),
  get parent() {
    return routeSchema.optional();
  },
});

/** Loads the routing table of a release folder for a comparison. Throws MmdbError for a damaged file. */
export function readRoutes(dir: string): Promise<RouteOrigins> {
  const origins = new Map<string, number | undefined>();
  for (const record of readMmdbFile(join(dir, 'routes.mmdb')).records) {
    let route: Route | undefined = routeSchema.parse(record);
    // Where a prefix is known, so are those that cover it.
    while (route?.prefix !== undefined && !origins.has(route.prefix)) {
      origins.set(route.prefix, route.origin);
      route = route.parent;
    }
  }
  return Promise.resolve(origins);
}
