import { z } from 'zod';
import { okEncoded } from '../http/answer.js';
import { defineRoute, type Route } from '../http/route.js';
import {
  entriesOf,
  hostsOf,
  NO_ADDRESSES,
  parseBatch,
  resolveHosts,
  type Addresses,
} from '../lookup/batch.js';
import { batchSchema } from '../lookup/ip-record-schema.js';
import { languageSchema } from '../lookup/language.js';
import type { Parts } from '../parts.js';

/** Documented as a string but not validated: any other value becomes an entry with an error (decision 21). */
const itemSchema = z.unknown().meta({ type: 'string', description: 'IPv4, IPv6 or hostname' });

const NOT_A_LIST = '`ips` must be a list of at least one address or hostname';

/** POST /api/ip/batch {ips} -> {code, data: entries in order} | 400 not a list, empty, or over the plan's limit */
export const ipBatch = ({ records, resolver }: Pick<Parts, 'records' | 'resolver'>): Route =>
  defineRoute({
    method: 'post',
    paths: ['/api/ip/batch'],
    operationId: 'lookupIpBatch',
    tag: 'IP lookup',
    summary: 'IP records of several addresses or host names, billed as one call.',
    terms: { kind: 'metered', key: 'optional', credits: 5 },
    errors: {
      400: '`ips` is not a list, is empty or has more items than the plan allows, or the body is not JSON',
    },
    params: z.object({}),
    query: z.object({ lang: languageSchema }),
    body: z.object(
      {
        ips: z
          .array(itemSchema, NOT_A_LIST)
          .min(1, NOT_A_LIST)
          .describe('IPv4 or IPv6 addresses or host names; at most the batch size of the plan'),
      },
      NOT_A_LIST,
    ),
    shape: { kind: 'envelope', data: batchSchema },
    answer({ body, query, snapshot, batchLimit }) {
      const batch = parseBatch(body.ips, batchLimit);
      const answer = (addresses: Addresses) =>
        okEncoded(
          entriesOf(batch, addresses, (address) => records.encodedRecordOf(address, snapshot, query.lang)),
        );
      const hosts = hostsOf(batch);
      if (hosts.length === 0) return answer(NO_ADDRESSES);
      return async () => answer(await resolveHosts(hosts, resolver));
    },
  });
