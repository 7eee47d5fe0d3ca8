import { z } from 'zod';
import { deadlineIn } from '../deadline.js';
import { allRecords } from '../dns/all-records.js';
import { noNameServer } from '../dns/first-address.js';
import { publicName } from '../targets/public-name.js';
import { dnsRecordSchema, domainText } from '../dns/record-schema.js';
import { Failure } from '../failure.js';
import { ok } from '../http/answer.js';
import { defineRoute, type Route } from '../http/route.js';
import type { Parts } from '../parts.js';
import { UpstreamError } from '../upstream-error.js';

/** GET /api/dns/{domain} -> {code, data: {domain, records}} | 400 invalid name | 404 does not exist | 502 */
export const dnsRecords = ({ dns, reserved }: Pick<Parts, 'dns' | 'reserved'>, budgetMs = 5000): Route =>
  defineRoute({
    method: 'get',
    paths: ['/api/dns/:domain'],
    operationId: 'listDnsRecords',
    tag: 'Whois and DNS',
    summary: 'All DNS records of a name: A, AAAA, CNAME, NS, MX, TXT, SOA, SRV and CAA.',
    terms: { kind: 'metered', key: 'optional', credits: 1 },
    errors: {
      400: 'The name is not a domain name of the public DNS',
      404: 'The domain does not exist',
      502: 'No name server answered',
    },
    params: z.object({ domain: domainText.describe('Domain name') }),
    query: z.object({}),
    shape: {
      kind: 'envelope',
      data: z
        .object({
          domain: z.string().describe('The domain as the caller wrote it'),
          records: z.array(dnsRecordSchema).describe('Records of all types, the CNAME chain in order'),
        })
        .meta({ id: 'DnsRecords' }),
    },
    answer({ params: { domain } }) {
      const name = publicName(domain, reserved);
      if (name === undefined) throw new Failure(400, NO_PUBLIC_NAME);
      return async () => {
        try {
          const records = await allRecords(dns, name, deadlineIn(budgetMs));
          if (records === undefined) throw new Failure(404, 'the domain does not exist');
          return ok({ domain, records });
        } catch (error) {
          if (error instanceof UpstreamError) throw noNameServer(error);
          throw error;
        }
      };
    },
  });

/** The error message for a name that is not looked up. */
export const NO_PUBLIC_NAME = 'not a domain name of the public DNS';
