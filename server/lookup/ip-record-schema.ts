import { z } from 'zod';

const coordinate = z.number().nullable();
const asn = z.int().nonnegative();

/** `bgp.peers[]` (decision 23). */
const peerSchema = z
  .strictObject({ asn: asn.describe('AS number'), name: z.string().describe('AS name') })
  .meta({ id: 'BgpPeer' });

/** `bgp.ix[]` (decision 23); `id` is PeeringDB's. */
const exchangeSchema = z
  .strictObject({
    id: z.int().describe('Id of the exchange in PeeringDB'),
    name: z.string().describe('Name of the exchange'),
    city: z.string().describe('City of the exchange'),
    country: z.string().describe('ISO 3166-1 alpha-2'),
  })
  .meta({ id: 'InternetExchange' });

const bgpSchema = z
  .strictObject({
    prefix: z.string().nullable().describe('Announcing BGP prefix'),
    as: asn.nullable().describe('Origin AS; also known without `prefix`, see `as_source`'),
    as_name: z.string().nullable().describe('Name of the origin AS'),
    as_cc: z.string().nullable().describe('Registration country of the origin AS'),
    allocation: z.string().nullable().describe('Parent block allocated by the RIR'),
    allocation_cc: z.string().nullable().describe('Country of the parent block'),
    rpki_status: z
      .enum(['valid', 'invalid', 'unknown'])
      .nullable()
      .describe('Result of RPKI route origin validation (RFC 6811)'),
    peers: z.array(peerSchema).describe('Neighbours of the origin AS, strongest first'),
    ix: z
      .array(exchangeSchema)
      .describe(
        'The exchange with this address in its peering LAN, then those of the origin AS, fastest port first',
      ),
    line: z.string().exactOptional().describe('Recognised carrier line; absent when unknown'),
    as_source: z
      .enum(['geolite2', 'ipinfo'])
      .exactOptional()
      .describe(
        'Publisher that gives `as` where no route collector sees an origin; absent when a route gives it',
      ),
  })
  .meta({ id: 'BgpPart' });

/** The IP record on the wire. Unknown values are `""`, null or `[]`. */
export const ipRecordSchema = z
  .strictObject({
    ip: z.string().describe('The address that was looked up'),
    version: z.union([z.literal(4), z.literal(6)]).describe('IP version'),
    country: z.string().describe('Localised by `lang`, like region, city, isp and continent'),
    country_code: z.string().describe('ISO 3166-1 alpha-2'),
    region: z.string().describe('Region, state or province'),
    city: z.string().describe('City'),
    latitude: coordinate.describe('Degrees north'),
    longitude: coordinate.describe('Degrees east'),
    timezone: z.string().describe('IANA time zone'),
    asn: asn.nullable().describe('AS number'),
    org: z.string().describe('Registered organisation of the AS'),
    isp: z.string().describe('Name of the internet service provider'),
    as_domain: z.string().describe('Primary domain of the AS'),
    continent: z.string().describe('Name of the continent'),
    continent_code: z.string().describe('AF, AN, AS, EU, NA, OC or SA'),
    ip_type: z.string().describe('Localised usage label; for proxies only'),
    rdns: z.literal('').describe('Always empty; see /api/rdns'),
    location: z.string().describe('Country, region, city and ISP for display'),
    is_reserved: z.boolean().describe('True for reserved addresses; the other fields are then empty'),
    bgp: bgpSchema.describe('Routing of the address'),
    is_proxy: z.boolean().describe('Whether the address is a proxy, VPN or Tor exit'),
    proxy_type: z.string().describe('VPN, TOR, DCH, PUB, WEB, SES and others'),
    usage_type: z.string().describe('COM, ORG, ISP, MOB, DCH and others, or several joined with `/`'),
    proxy_domain: z.string().describe('Domain of the network, from the proxy list'),
    proxy_isp: z.string().describe('ISP of the network, from the proxy list'),
    provider: z.string().describe('Brand of the proxy or VPN service'),
    threat: z.string().describe('SPAM, SCANNER, BOTNET, or several joined with `/`'),
    fraud_score: z.string().describe('0 to 99; empty when unknown'),
    last_seen: z.string().describe('ISO date when a proxy list last had the address; empty when unknown'),
    is_cloud_idc: z.boolean().describe('Address of a cloud, a data centre or a CDN'),
    cloud_provider: z.string().describe('Name of the cloud provider'),
    is_anycast: z
      .boolean()
      .exactOptional()
      .describe('True for addresses that are announced from many places, which have no city; else absent'),
  })
  .meta({ id: 'IpRecord' });

export type IpRecord = z.infer<typeof ipRecordSchema>;
export type BgpPart = IpRecord['bgp'];

/** The own-IP record without its envelope (`GET /json`). */
export const flatIpRecordSchema = ipRecordSchema
  .pick({
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
    latitude: true,
    longitude: true,
    timezone: true,
  })
  .meta({ id: 'FlatIpRecord' });

export type FlatIpRecord = z.infer<typeof flatIpRecordSchema>;

/** The verdict of one database. */
export const sourceVerdictSchema = z
  .strictObject({
    source: z.string().describe('Name of the database; `own` is the operator’s own'),
    country: z.string().describe('Country name, localised by `lang`'),
    region: z.string().describe('Region, state or province'),
    city: z.string().describe('City'),
    isp: z.string().describe('Name of the internet service provider'),
    lat: coordinate.describe('Degrees north'),
    lng: coordinate.describe('Degrees east'),
  })
  .meta({ id: 'SourceVerdict' });

export type SourceVerdict = z.infer<typeof sourceVerdictSchema>;

/** `data` of `/api/ip/{target}/sources`. */
export const sourcesSchema = z
  .strictObject({
    ip: z.string().describe('The address that was looked up'),
    sources: z.array(sourceVerdictSchema).describe('One entry per database that knows the address'),
  })
  .meta({ id: 'SourceVerdicts' });

/** A batch target that has no record. */
export const failedEntrySchema = z
  .strictObject({
    ip: z.string().describe('The target as it was sent'),
    error: z
      .enum(['invalid IP or hostname', 'target could not be resolved'])
      .describe('Present instead of the record when the lookup failed'),
  })
  .meta({ id: 'FailedBatchEntry' });

export type FailedEntry = z.infer<typeof failedEntrySchema>;

/** An element of the `data` of a batch. */
export const batchEntrySchema = z.union([ipRecordSchema, failedEntrySchema]);

export const batchSchema = z.array(batchEntrySchema);
