import { z } from 'zod';

const record = {
  name: z.string(),
  ttl: z.int().nonnegative().describe('Seconds'),
  value: z.string().describe('As in a zone file: of MX and SRV the priority comes first'),
};

/** An A or AAAA record, with what the release knows of the address. */
const addressRecordSchema = z.strictObject({
  ...record,
  type: z.enum(['A', 'AAAA']),
  geo: z.string().describe('Country, region and city for display, localized by `lang` as `isp` is'),
  isp: z.string(),
  asn: z.int().nonnegative().nullable(),
  org: z.string().describe('Registered organisation of the AS'),
});

const otherRecordSchema = z.strictObject({ ...record, type: z.string() });

/** One record of the answer. */
export const globalRecordSchema = z.union([addressRecordSchema, otherRecordSchema]);
export type GlobalRecord = z.infer<typeof globalRecordSchema>;

/** `GET /dns_global/api/query`, failures too; what is unknown is `""` or null. */
export const globalAnswerSchema = z.strictObject({
  records: z.array(globalRecordSchema),
  rcode: z.string().describe('NOERROR, NXDOMAIN and others; empty when no resolver answered'),
  time_ms: z.int().nonnegative(),
  resolver: z.string().describe('Name of the resolver that was asked'),
  edns_client_subnet: z.string().describe('The ECS sent (RFC 7871); empty without a region'),
  colo: z.string().exactOptional().describe('Data centre of the worker; on the worker path only'),
  country: z.string().exactOptional(),
  location: z.string().exactOptional(),
  source: z.enum(['worker', 'doh']),
  region: z.int().nonnegative().nullable().describe('Echo of the parameter'),
  regionLabel: z.string(),
  subnet: z.string(),
  error: z.string().exactOptional().describe('Present only on failure'),
});
export type GlobalAnswer = z.infer<typeof globalAnswerSchema>;

/** `GET /dns_global/api/regions`: one element. */
export const regionSchema = z.strictObject({
  code: z.int().nonnegative(),
  label: z.string().describe('Localized by `lang`'),
  flag: z.string().describe('ISO 3166-1 alpha-2'),
  subnet: z.string().describe('The EDNS Client Subnet that is sent, CIDR'),
});
