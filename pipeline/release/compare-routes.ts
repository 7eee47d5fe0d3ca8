/** Announced prefixes with their primary origins; the origin is absent when it is unknown. */
export type RouteOrigins = ReadonlyMap<string, number | undefined>;

/** The changes of announced prefixes. All figures count prefixes. */
export interface RouteComparison {
  readonly before: number;
  readonly after: number;
  readonly appeared: number;
  readonly disappeared: number;
  /** Prefixes with another origin AS. A known and an unknown origin differ. */
  readonly changedOrigin: number;
}

/** Compares two routing tables prefix by prefix. */
export function compareRoutes(before: RouteOrigins, after: RouteOrigins): RouteComparison {
  let stayed = 0;
  let changedOrigin = 0;
  for (const [prefix, origin] of after) {
    if (!before.has(prefix)) continue;
    stayed++;
    if (before.get(prefix) !== origin) changedOrigin++;
  }
  return {
    before: before.size,
    after: after.size,
    appeared: after.size - stayed,
    disappeared: before.size - stayed,
    changedOrigin,
  };
}
