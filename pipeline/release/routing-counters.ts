/** Names in the manifest of the routing counters that other rooms read. */
export const COUNTERS = {
  collectors: 'rib.collectors',
  peers: 'rib.peers',
  /** Distinct ASes among the peers. */
  vantagePoints: 'rib.vantagePoints',
  entries: 'rib.entries',
  paths: 'rib.paths',
  /** Before any are dropped. */
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

/** Prefix of the counters of dropped prefixes, by reason. */
export const DROPPED_ROUTES = 'routes.dropped.';
/** Prefix of the counters of distinct AS paths without use for links, by reason. */
export const DROPPED_PATHS = 'paths.dropped.';
/** `<this><family>.<method>`: links inferred by a method for a family (`topology.ipv4.as-rank`). */
export const INFERRED_LINKS = 'topology.';

/** `<this><source>.<figure>`: addresses of `asn.mmdb` whose AS a source gives (`asn.geolite2.ipv4Addresses`). */
export const ANNOUNCED_ADDRESSES = 'asn.';

/** Returns every number in a nested object by its dotted name. Other values and lists are ignored. */
export function countersIn(value: object, name: string): Record<string, number> {
  const found = Object.entries(value).flatMap(([key, inner]: [string, unknown]): [string, number][] => {
    const path = `${name}.${key}`;
    if (typeof inner === 'number') return [[path, inner]];
    const isRecord = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
    return isRecord ? Object.entries(countersIn(inner, path)) : [];
  });
  return Object.fromEntries(found);
}
