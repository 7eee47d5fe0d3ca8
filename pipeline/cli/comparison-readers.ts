import { join } from 'node:path';
import { z } from 'zod';
import { readMmdbFile } from '../mmdb/read.js';
import type { GeoTable } from '../release/compare-geo.js';
import type { RouteOrigins } from '../release/compare-routes.js';
import type { TypeTable } from '../release/compare-types.js';

/** The part of a geo.mmdb record that a comparison needs. */
const geoSchema = z.looseObject({
  country: z.looseObject({ iso_code: z.string().optional() }).optional(),
});

/** Reads the countries of geo.mmdb in a release folder. Throws MmdbError for a damaged file. */
function readGeo(dir: string): Promise<GeoTable> {
  const { table, records } = readMmdbFile(join(dir, 'geo.mmdb'));
  return Promise.resolve({
    table,
    records: records.map((record) => {
      const country = geoSchema.parse(record).country?.iso_code;
      const key = JSON.stringify(record);
      return country === undefined ? { key } : { country, key };
    }),
  });
}

/** The part of a routes.mmdb record that a comparison needs. A record without a prefix is an allocation only. */
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

/** Reads the origin of each route of routes.mmdb in a release folder. Throws MmdbError for a damaged file. */
export function readRoutes(dir: string): Promise<RouteOrigins> {
  const origins = new Map<string, number | undefined>();
  for (const record of readMmdbFile(join(dir, 'routes.mmdb')).records) {
    let route: Route | undefined = routeSchema.parse(record);
    // The covering routes of a known prefix are known too.
    while (route?.prefix !== undefined && !origins.has(route.prefix)) {
      origins.set(route.prefix, route.origin);
      route = route.parent;
    }
  }
  return Promise.resolve(origins);
}

/** The part of an isp.mmdb record that a comparison needs. */
const typeSchema = z.looseObject({ proxy: z.looseObject({ type: z.string().optional() }).optional() });

/** Reads the proxy types of isp.mmdb in a release folder. Throws MmdbError for a damaged file. */
function readTypes(dir: string): Promise<TypeTable> {
  const { table, records } = readMmdbFile(join(dir, 'isp.mmdb'));
  return Promise.resolve({
    table,
    records: records.map((record) => {
      const type = typeSchema.parse(record).proxy?.type;
      const key = JSON.stringify(record);
      return type === undefined ? { key } : { type, key };
    }),
  });
}

/** The readers that `compareReleases` needs. */
export const COMPARISON_READERS = { geo: readGeo, routes: readRoutes, types: readTypes } as const;
