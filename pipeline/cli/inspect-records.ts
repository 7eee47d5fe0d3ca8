import { z } from 'zod';

const names = z.looseObject({ en: z.string().optional(), 'zh-CN': z.string().optional() }).optional();
const level = z.looseObject({ iso_code: z.string().optional(), confidence: z.number().optional(), names });
/** A country, region or city in a shown record. */
export type LevelShown = z.infer<typeof level>;
const agreed = z.array(z.string()).optional();

/** The fields of a geo.mmdb record that `inspect` shows. */
export const geoSchema = z.looseObject({
  country: level.optional(),
  registered_country: level.optional(),
  subdivisions: z.array(level).optional(),
  city: level.optional(),
  location: z
    .looseObject({
      latitude: z.number().optional(),
      longitude: z.number().optional(),
      accuracy_radius: z.number().optional(),
      time_zone: z.string().optional(),
    })
    .optional(),
  agreement: z
    .looseObject({ rule: z.string().optional(), country: agreed, region: agreed, city: agreed })
    .optional(),
  traits: z.looseObject({ is_anycast: z.boolean().optional() }).optional(),
});
/** A record of geo.mmdb, as far as it is shown. */
export type GeoRecord = z.infer<typeof geoSchema>;

/** The fields of a verdict that `inspect` shows. */
export const verdictSchema = z.looseObject({
  country: z.string().optional(),
  region: z.string().optional(),
  region_name: z.string().optional(),
  region_zh: z.string().optional(),
  city: z.string().optional(),
  city_zh: z.string().optional(),
  isp: z.string().optional(),
  latitude: z.number().optional(),
  longitude: z.number().optional(),
  basis: z.string().optional(),
  is_anycast: z.boolean().optional(),
});
/** A verdict, as far as it is shown. */
export type VerdictShown = z.infer<typeof verdictSchema>;

const asn = z.number();
const text = z.string().optional();

const allocationSchema = z.looseObject({
  prefix: z.string(),
  country: text,
  registry: text,
  status: text,
  /** The AS number registered to the same holder. */
  registered_as: asn.optional(),
});
/** The allocation in a record of routes.mmdb. */
export type AllocationRecord = z.infer<typeof allocationSchema>;

const exchangeSchema = z.looseObject({
  id: z.number(),
  name: z.string(),
  city: text,
  country: text,
});
/** An exchange in a shown record. */
export type ExchangeShown = z.infer<typeof exchangeSchema>;

/**
 * The fields of a routes.mmdb record that `inspect` shows. Without `prefix` the address is allocated but not announced.
 */
export const routeSchema = z.looseObject({
  prefix: text,
  origin: asn.optional(),
  origins: z.array(z.looseObject({ asn, peers: z.number().optional(), rpki: text })).optional(),
  rpki: text,
  as_name: text,
  as_country: text,
  allocation: allocationSchema.optional(),
  upstreams: z.array(z.looseObject({ asn, count: z.number() })).optional(),
  neighbours: z.array(z.looseObject({ asn, name: text })).optional(),
  line: text,
  exchange: exchangeSchema.optional(),
  /** The covering route. */
  get parent() {
    return routeSchema.optional();
  },
});
/** A record of routes.mmdb, as far as it is shown. */
export type RouteRecord = z.infer<typeof routeSchema>;

/** The fields of an asn.mmdb record that `inspect` shows. */
export const asnSchema = z.looseObject({
  autonomous_system_number: asn.optional(),
  autonomous_system_organization: text,
  as_name: text,
  as_domain: text,
  as_country: text,
  as_source: text,
});
/** A record of asn.mmdb, as far as it is shown. */
export type AsnRecord = z.infer<typeof asnSchema>;

const linkedSchema = z.looseObject({
  asn,
  power: z.number(),
  name: text,
  uncertain: z.boolean().optional(),
});
/** A neighbour of an AS in a shown record. */
export type LinkedShown = z.infer<typeof linkedSchema>;
const linked = z.array(linkedSchema).optional();

/** The fields of a networks.mmdb record that `inspect` shows. */
export const networkSchema = z.looseObject({
  asn,
  name: text,
  entity: text,
  country: text,
  registry: text,
  status: text,
  date: text,
  in_use: z.boolean().optional(),
  ipv4_prefixes: z.array(z.string()).optional(),
  ipv6_prefixes: z.array(z.string()).optional(),
  topology: z.looseObject({ upstreams: linked, downstreams: linked, peers: linked }).optional(),
  exchanges: z.array(exchangeSchema).optional(),
});
/** A record of networks.mmdb, as far as it is shown. */
export type NetworkShown = z.infer<typeof networkSchema>;

const flag = z.boolean().optional();

/** The fields of an isp.mmdb record that `inspect` shows. */
export const ispSchema = z.looseObject({
  isp: text,
  organization: text,
  autonomous_system_number: asn.optional(),
  autonomous_system_organization: text,
  usage_type: text,
  is_anonymous: flag,
  is_cloud_idc: flag,
  proxy: z
    .looseObject({
      type: text,
      provider: text,
      isp: text,
      threat: text,
      fraud_score: z.number().optional(),
      last_seen: text,
    })
    .optional(),
  cloud: z.looseObject({ provider: text, service: text, region: text }).optional(),
});
/** A record of isp.mmdb, as far as it is shown. */
export type IspShown = z.infer<typeof ispSchema>;

const evidence = z.looseObject({
  type: text,
  evidence: text,
  provider: text,
  usage_type: text,
  isp: text,
  domain: text,
  threat: text,
  fraud_score: z.number().optional(),
  last_seen: text,
  cloud: text,
  service: text,
  region: text,
  is_hosting: flag,
  is_edge: flag,
  carrier: text,
  allow: z.array(z.string()).optional(),
  is_own: flag,
  is_expired: flag,
  taken_for: text,
  dropped: text,
  asn: asn.optional(),
});
/** A listing in evidence.mmdb, as far as it is shown. */
export type EvidenceShown = z.infer<typeof evidence>;

/** An evidence.mmdb record: the listings by list id; listings of a whole AS by `<id> AS<number>`. */
export const evidenceSchema = z.record(z.string(), evidence);
/** A record of evidence.mmdb: the listings by key. */
export type EvidenceRecord = z.infer<typeof evidenceSchema>;
