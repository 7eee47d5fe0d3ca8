import { z } from 'zod';
import type { Registration } from './whois-record.js';

/** What a registry says, checked where it comes back from Redis. */
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

/** The Whois record as it goes out; what is unknown is `""` or `[]`. */
export const whoisRecordSchema = z.strictObject({
  target: z.string().describe('The target as it was sent'),
  raw: z.string().describe('Text of the registry, 256 kB at most: JSON where it speaks RDAP'),
  registrar: z
    .string()
    .describe('Of addresses and ASes the regional registry: ARIN, RIPE, APNIC, LACNIC, AFRINIC'),
  creation_date: z.string().describe('ISO 8601 in UTC'),
  expiry_date: z.string().describe('ISO 8601 in UTC'),
  updated_date: z.string().describe('ISO 8601 in UTC'),
  nameservers: z.array(z.string()),
  status: z.array(z.string()).describe('EPP status codes'),
  registrant: z.string().describe('Empty when redacted'),
  dnssec: z.string().describe('signedDelegation, unsigned, or empty when unknown'),
  is_asn: z.boolean(),
  available: z.boolean().describe('True when the domain is not registered'),
});

export type WhoisRecord = z.infer<typeof whoisRecordSchema>;

/** The record of a registration. */
export function recordOfFound(target: string, registration: Registration, isAsn: boolean): WhoisRecord {
  const { nameservers, status, ...texts } = registration;
  return {
    ...{ target, ...texts, nameservers: [...nameservers], status: [...status] },
    ...{ is_asn: isAsn, available: false },
  };
}

/** The record of a domain that nobody has registered. */
export function recordOfAvailable(target: string, raw: string): WhoisRecord {
  return {
    ...{ target, raw, registrar: '', creation_date: '', expiry_date: '', updated_date: '' },
    ...{ nameservers: [], status: [], registrant: '', dnssec: '', is_asn: false, available: true },
  };
}
