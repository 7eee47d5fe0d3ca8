import { z } from 'zod';
import { deadlineIn } from '../deadline.js';
import { noNameServer } from '../dns/first-address.js';
import { publicPointerName } from '../dns/reverse-name.js';
import { dnsRecordSchema, domainText } from '../dns/record-schema.js';
import { Failure } from '../failure.js';
import { ok } from '../http/answer.js';
import { defineRoute, type Route } from '../http/route.js';
import type { Parts } from '../parts.js';
import { publicName } from '../targets/public-name.js';
import { UpstreamError } from '../upstream-error.js';
import { NO_PUBLIC_NAME } from './dns-records.js';

/** GET /api/dns/{domain}/{type} -> {code, data: {records, query, type, server}} | 400 invalid name or type | 502 */
export const dnsQuery = ({ dns, reserved }: Pick<Parts, 'dns' | 'reserved'>, budgetMs = 5000): Route =>
  defineRoute({
    method: 'get',
    paths: ['/api/dns/:domain/:type'],
    operationId: 'queryDns',
    tag: 'Whois and DNS',
    summary: 'DNS records of one type. PTR also accepts an IPv4 address.',
    terms: { kind: 'metered', key: 'optional', credits: 1 },
    errors: {
      400: 'The name is not a domain name of the public DNS, or the type is not supported',
      502: 'No name server answered',
    },
    params: z.object({
      domain: domainText.describe('Domain name; for PTR also an IPv4 address'),
      type: typeText.describe(`One of ${TYPES.join(', ')}, in any case`),
    }),
    query: z.object({}),
    shape: { kind: 'envelope', data: dnsAnswerSchema },
    answer({ params: { domain, type } }) {
      const name = (type === 'PTR' ? publicPointerName : publicName)(domain, reserved);
      if (name === undefined) throw new Failure(400, NO_PUBLIC_NAME);
      return async () => {
        try {
          const { records, server = '' } = await dns.query(name, type, deadlineIn(budgetMs));
          return ok({ records, query: domain, type, server });
        } catch (error) {
          if (error instanceof UpstreamError) throw noNameServer(error);
          throw error;
        }
      };
    },
  });

const TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT', 'SOA', 'SRV', 'PTR'] as const;

/** Accepts any case and converts to upper case. */
const typeText = z
  .string()
  .regex(new RegExp(`^(?:${TYPES.join('|')})$`, 'i'), `type must be one of ${TYPES.join(', ')}`)
  .transform((text) => text.toUpperCase());

const dnsAnswerSchema = z
  .object({
    records: z.array(dnsRecordSchema).describe('Empty when the name or the type does not exist'),
    query: z.string().describe('The domain as the caller wrote it'),
    type: z.enum(TYPES).describe('The record type in upper case'),
    server: z.string().describe('The resolver that answered; empty for a private or system resolver'),
  })
  .meta({ id: 'DnsAnswer' });
