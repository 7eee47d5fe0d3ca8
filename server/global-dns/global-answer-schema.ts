import { z } from 'zod';

const record = {
  name: z.string().describe('Record name'),
  ttl: z.int().nonnegative().describe('Seconds'),
  value: z.string().describe('As in a zone file; for MX and SRV the priority comes first'),
};

/** An A or AAAA record with the release's record of the address. */
const addressRecordSchema = z
  .strictObject({
    ...record,
    type: z.enum(['A', 'AAAA']).describe('Record type'),
    geo: z.string().describe('A and AAAA only: country, region and city for display, localised by `lang`'),
    isp: z.string().describe('A and AAAA only: name of the internet service provider'),
    asn: z.int().nonnegative().nullable().describe('A and AAAA only: AS number'),
    org: z.string().describe('A and AAAA only: registered organisation of the AS'),
  })
  .meta({ id: 'GlobalAddressRecord' });

const otherRecordSchema = z
  .strictObject({ ...record, type: z.string().describe('Record type') })
  .meta({ id: 'GlobalDnsRecord' });

/** One record of the answer. */
export const globalRecordSchema = z.union([addressRecordSchema, otherRecordSchema]);
/** One record of the answer. */
export type GlobalRecord = z.infer<typeof globalRecordSchema>;

/** The body of `GET /dns_global/api/query`, for failures too. Unknown values are `""` or null. */
export const globalAnswerSchema = z
  .strictObject({
    records: z.array(globalRecordSchema).describe('Empty when the query failed'),
    rcode: z.string().describe('NOERROR, NXDOMAIN and others; empty when no resolver answered'),
    time_ms: z.int().nonnegative().describe('Duration of the query, ms'),
    resolver: z.string().describe('Name of the queried resolver'),
    edns_client_subnet: z.string().describe('The ECS sent (RFC 7871); empty without a region'),
    colo: z.string().exactOptional().describe('Data centre of the worker; only when the worker answered'),
    country: z.string().exactOptional().describe('Country of the worker; only when the worker answered'),
    location: z.string().exactOptional().describe('Place of the worker; only when the worker answered'),
    source: z.enum(['worker', 'doh']).describe('Whether the edge worker or the resolver itself answered'),
    region: z.int().nonnegative().nullable().describe('Echo of the parameter'),
    regionLabel: z.string().describe('Label of the region; empty without a region'),
    subnet: z.string().describe('Subnet of the region, CIDR; empty without a region'),
    error: z.string().exactOptional().describe('Present only on failure'),
  })
  .meta({ id: 'GlobalDnsAnswer' });
/** The body of `GET /dns_global/api/query`. */
export type GlobalAnswer = z.infer<typeof globalAnswerSchema>;

/** One element of `GET /dns_global/api/regions`. */
export const vantagePointSchema = z
  .strictObject({
    code: z.int().nonnegative().describe('Value of the parameter `region`'),
    label: z.string().describe('Localised by `lang`'),
    flag: z.string().describe('ISO 3166-1 alpha-2'),
    subnet: z.string().describe('EDNS Client Subnet that is sent, CIDR'),
  })
  .meta({ id: 'VantagePoint' });
