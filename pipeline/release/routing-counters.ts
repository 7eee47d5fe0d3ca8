/** Counters of the routing dataset that others than their maker read, by their names in the manifest. */
export const COUNTERS = {
  collectors: 'rib.collectors',
  peers: 'rib.peers',
  /** Distinct ASes among the peers. */
  vantagePoints: 'rib.vantagePoints',
  entries: 'rib.entries',
  paths: 'rib.paths',
  /** Before anything is left out. */
  ribPrefixes: 'rib.prefixes',
  ipv4Prefixes: 'routes.ipv4',
  ipv6Prefixes: 'routes.ipv6',
  originAses: 'routes.originAses',
  moas: 'routes.moas',
  withoutOrigin: 'routes.withoutOrigin',
  rpkiValid: 'routes.rpki.valid',
  rpkiInvalid: 'routes.rpki.invalid',
  rpkiUnknown: 'routes.rpki.unknown',
  vrps: 'vrps',
  providerLinks: 'links.provider',
  peerLinks: 'links.peer',
  uncertainLinks: 'links.uncertain',
} as const;

/** Counters that begin so are prefixes left out of the table, by reason. */
export const DROPPED_ROUTES = 'routes.dropped.';
/** Counters that begin so are distinct AS paths that tell nothing about links, by reason. */
export const DROPPED_PATHS = 'paths.dropped.';
/** `<this><family>.<method>`: links that a method told of a family (`topology.ipv4.as-rank`). */
export const INFERRED_LINKS = 'topology.';

/** Every number in a value under its dotted name; what is no number, and lists, are left out. */
export function countersIn(value: object, name: string): Record<string, number> {
  const found = Object.entries(value).flatMap(([key, inner]: [string, unknown]): [string, number][] => {
    const path = `${name}.${key}`;
    if (typeof inner === 'number') return [[path, inner]];
    const isRecord = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
    return isRecord ? Object.entries(countersIn(inner, path)) : [];
  });
  return Object.fromEntries(found);
}
