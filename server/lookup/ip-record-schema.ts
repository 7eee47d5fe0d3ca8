import { z } from 'zod';

const coordinate = z.number().nullable();
const asn = z.int().nonnegative();

/** `bgp.peers[]` (ruling 23). */
const peerSchema = z.strictObject({ asn, name: z.string() });

/** `bgp.ix[]` (ruling 23); `id` is PeeringDB's. */
const exchangeSchema = z.strictObject({
  id: z.int(),
  name: z.string(),
  city: z.string(),
  country: z.string(),
});

const bgpSchema = z.strictObject({
  prefix: z.string().nullable().describe('Announcing BGP prefix'),
  as: asn.nullable().describe('Origin AS'),
  as_name: z.string().nullable(),
  as_cc: z.string().nullable().describe('Registration country of the origin AS'),
  allocation: z.string().nullable().describe('Parent block allocated by the RIR'),
  allocation_cc: z.string().nullable(),
  rpki_status: z.enum(['valid', 'invalid', 'unknown']).nullable(),
  peers: z.array(peerSchema).describe('Neighbours of the origin AS, the strongest first'),
  ix: z
    .array(exchangeSchema)
    .describe('The exchange whose peering LAN this is, then those of the origin AS, the fastest first'),
  line: z.string().exactOptional().describe('Recognized carrier line; absent when unknown'),
});

/** The IP record as it goes out; what is unknown is `""`, null or `[]`. */
export const ipRecordSchema = z.strictObject({
  ip: z.string(),
  version: z.union([z.literal(4), z.literal(6)]),
  country: z.string().describe('Localized by `lang`, as are region, city, isp and continent'),
  country_code: z.string().describe('ISO 3166-1 alpha-2'),
  region: z.string(),
  city: z.string(),
  latitude: coordinate,
  longitude: coordinate,
  timezone: z.string().describe('IANA time zone'),
  asn: asn.nullable(),
  org: z.string().describe('Registered organisation of the AS'),
  isp: z.string(),
  as_domain: z.string(),
  continent: z.string(),
  continent_code: z.string(),
  ip_type: z.string().describe('Localized usage label, of proxies only'),
  rdns: z.literal('').describe('Always empty; see /api/rdns'),
  location: z.string().describe('Country, region, city and ISP for display'),
  is_reserved: z.boolean(),
  bgp: bgpSchema,
  is_proxy: z.boolean(),
  proxy_type: z.string().describe('VPN, TOR, DCH, PUB, WEB, SES and others'),
  usage_type: z.string().describe('COM, ORG, ISP, MOB, DCH and others, or several joined with `/`'),
  proxy_domain: z.string(),
  proxy_isp: z.string(),
  provider: z.string(),
  threat: z.string(),
  fraud_score: z.string().describe('0 to 99'),
  last_seen: z.string().describe('ISO date'),
  is_cloud_idc: z.boolean(),
  cloud_provider: z.string(),
});

export type IpRecord = z.infer<typeof ipRecordSchema>;
export type BgpPart = IpRecord['bgp'];

/** The own-IP record without its envelope (`GET /json`). */
export const flatIpRecordSchema = ipRecordSchema.pick({
  ...{
    ip: true,
    country: true,
    country_code: true,
    region: true,
    city: true,
    isp: true,
    org: true,
    asn: true,
  },
  ...{ latitude: true, longitude: true, timezone: true },
});

export type FlatIpRecord = z.infer<typeof flatIpRecordSchema>;

/** What one database says, unmerged. */
export const sourceVerdictSchema = z.strictObject({
  source: z.string().describe('Name of the database; `own` is the service’s own'),
  country: z.string(),
  region: z.string(),
  city: z.string(),
  isp: z.string(),
  lat: coordinate,
  lng: coordinate,
});

export type SourceVerdict = z.infer<typeof sourceVerdictSchema>;

/** `data` of `/api/ip/{target}/sources`. */
export const sourcesSchema = z.strictObject({ ip: z.string(), sources: z.array(sourceVerdictSchema) });

/** A batch target that has no record. */
export const failedEntrySchema = z.strictObject({
  ip: z.string().describe('The target as it was sent'),
  error: z.enum(['invalid IP or hostname', 'target could not be resolved']),
});

export type FailedEntry = z.infer<typeof failedEntrySchema>;

export const batchSchema = z.array(z.union([ipRecordSchema, failedEntrySchema]));
