import { z } from 'zod';

const seconds = z.int().min(0);

/** A record as the API shows it (`api.md`, "DNS record"). */
export const dnsRecordSchema = z.object({
  type: z.string().describe('Record type; TYPE and a number where it has no name'),
  name: z.string().describe('Lower case, no trailing dot'),
  ttl: z.int().min(0).max(0x7fffffff).describe('Seconds'),
  value: z.string(),
  priority: z.int().min(0).max(0xffff).exactOptional().describe('MX and SRV only'),
  serial: seconds.exactOptional().describe('SOA only'),
  refresh: seconds.exactOptional().describe('SOA only, seconds'),
  retry: seconds.exactOptional().describe('SOA only, seconds'),
  expire: seconds.exactOptional().describe('SOA only, seconds'),
  minimum_ttl: seconds.exactOptional().describe('SOA only, seconds'),
});

/** What a caller may write as a domain: the description's characters, and nothing else (ruling 17). */
export const domainText = z
  .string()
  .regex(/^[a-zA-Z0-9.-]+$/, 'a domain has letters, digits, dots and hyphens');
