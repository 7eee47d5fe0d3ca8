/** Announced prefixes and their primary origins; an origin that cannot be told is absent. */
export type RouteOrigins = ReadonlyMap<string, number | undefined>;

/** What changed about announced prefixes. All figures are prefixes. */
export interface RouteComparison {
  readonly before: number;
  readonly after: number;
  readonly appeared: number;
  readonly disappeared: number;
  /** Announced by another AS, or by one where none could be told, or the other way round. */
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
