import { z } from 'zod';

const seconds = z.int().min(0);

/** A DNS record as the API shows it. */
export const dnsRecordSchema = z
  .object({
    type: z.string().describe('Record type; TYPE and a number if it has no mnemonic'),
    name: z.string().describe('Lower case, no trailing dot'),
    ttl: z.int().min(0).max(0x7fffffff).describe('Seconds'),
    value: z
      .string()
      .describe('MX: the exchange; SRV: `weight port target`; SOA: `mname rname`; TXT: chunks joined'),
    priority: z.int().min(0).max(0xffff).exactOptional().describe('MX and SRV only'),
    serial: seconds.exactOptional().describe('SOA only'),
    refresh: seconds.exactOptional().describe('SOA only, seconds'),
    retry: seconds.exactOptional().describe('SOA only, seconds'),
    expire: seconds.exactOptional().describe('SOA only, seconds'),
    minimum_ttl: seconds.exactOptional().describe('SOA only, seconds'),
  })
  .meta({ id: 'DnsRecord' });

/** A domain as a caller may write it (decision 17). */
export const domainText = z.string().regex(/^[a-zA-Z0-9.-]+$/, 'expected letters, digits, dots and hyphens');
