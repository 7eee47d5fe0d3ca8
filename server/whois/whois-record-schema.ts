import { z } from 'zod';
import type { Registration } from './whois-record.js';

/** Validates registration data read back from Redis. */
export const registrationSchema: z.ZodType<Registration> = z.strictObject({
  raw: z.string(),
  registrar: z.string(),
  creation_date: z.string(),
  expiry_date: z.string(),
  updated_date: z.string(),
  nameservers: z.array(z.string()),
  status: z.array(z.string()),
  registrant: z.string(),
  dnssec: z.string(),
});

/** The API's whois record. Unknown values are `""` or `[]`. */
export const whoisRecordSchema = z
  .strictObject({
    target: z.string().describe('The target as it was sent'),
    raw: z.string().describe("The server's reply, at most 256 kB; JSON when it came by RDAP"),
    registrar: z.string().describe('For addresses and ASes the RIR: ARIN, RIPE, APNIC, LACNIC or AFRINIC'),
    creation_date: z.string().describe('ISO 8601 in UTC'),
    expiry_date: z.string().describe('ISO 8601 in UTC'),
    updated_date: z.string().describe('ISO 8601 in UTC'),
    nameservers: z.array(z.string()).describe('Host names in lower case'),
    status: z.array(z.string()).describe('EPP status codes'),
    registrant: z.string().describe('Empty when redacted'),
    dnssec: z.string().describe('signedDelegation, unsigned, or empty when unknown'),
    is_asn: z.boolean().describe('Whether the target is an AS number'),
    available: z.boolean().describe('True when the domain is not registered'),
  })
  .meta({ id: 'WhoisRecord' });

/** The API's whois record. */
export type WhoisRecord = z.infer<typeof whoisRecordSchema>;

/** Builds the record of a registered target. */
export function recordOfFound(target: string, registration: Registration, isAsn: boolean): WhoisRecord {
  const { nameservers, status, ...texts } = registration;
  return {
    target,
    ...texts,
    nameservers: [...nameservers],
    status: [...status],
    is_asn: isAsn,
    available: false,
  };
}

/** Builds the record of a domain that is not registered. */
export function recordOfAvailable(target: string, raw: string): WhoisRecord {
  return {
    target,
    raw,
    registrar: '',
    creation_date: '',
    expiry_date: '',
    updated_date: '',
    nameservers: [],
    status: [],
    registrant: '',
    dnssec: '',
    is_asn: false,
    available: true,
  };
}
