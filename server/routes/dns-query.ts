import { z } from 'zod';
import { deadlineIn } from '../deadline.js';
import { noNameServer } from '../dns/first-address.js';
import { publicPointerName } from '../dns/pointer-name.js';
import { dnsRecordSchema, domainText } from '../dns/record-schema.js';
import { Failure } from '../failure.js';
import { ok } from '../http/answer.js';
import { defineRoute, type Route } from '../http/route.js';
import type { Parts } from '../parts.js';
import { publicName } from '../targets/public-name.js';
import { UpstreamError } from '../upstream-error.js';
import { NO_PUBLIC_NAME } from './dns-records.js';

/** GET /api/dns/{domain}/{type} -> {code, data: {records, query, type, server}} | 400 no public name, other type | 502 */
export const dnsQuery = ({ dns, reserved }: Pick<Parts, 'dns' | 'reserved'>, budgetMs = 5000): Route =>
  defineRoute({
    method: 'get',
    paths: ['/api/dns/:domain/:type'],
    operationId: 'queryDns',
    tag: 'Whois and DNS',
    summary: 'DNS records of a name and a type; PTR takes an IPv4 address too.',
    terms: { kind: 'metered', key: 'optional', credits: 1 },
    params: z.object({ domain: domainText, type: typeText }),
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

/** Any case; in capitals behind it. */
const typeText = z
  .string()
  .regex(new RegExp(`^(?:${TYPES.join('|')})$`, 'i'), `type must be one of ${TYPES.join(', ')}`)
  .transform((text) => text.toUpperCase());

const dnsAnswerSchema = z.object({
  records: z.array(dnsRecordSchema).describe('Empty when the name or the type does not exist'),
  query: z.string().describe('The domain as it was asked'),
  type: z.enum(TYPES),
  server: z.string().describe('The resolver that answered; empty for the system’s or a private one'),
});
