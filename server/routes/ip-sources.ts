import { z } from 'zod';
import { ok } from '../http/answer.js';
import { defineRoute, type Route } from '../http/route.js';
import { sourcesSchema } from '../lookup/ip-record-schema.js';
import { languageSchema } from '../lookup/language.js';
import { requireAddressOfHost, requireTarget } from '../lookup/resolve-target.js';
import type { Parts } from '../parts.js';
import type { TargetAddress } from '../targets/target.js';

/** GET /api/ip/{target}/sources -> {code, data: {ip, sources}} | 400 no target | 404 not resolvable | 502 no name server */
export const ipSources = ({ records, resolver }: Pick<Parts, 'records' | 'resolver'>): Route =>
  defineRoute({
    method: 'get',
    paths: ['/api/ip/:target/sources'],
    operationId: 'lookupIpSources',
    tag: 'IP lookup',
    summary: 'What each of the geolocation databases says of an address or host name, unmerged.',
    terms: { kind: 'metered', key: 'optional', credits: 2 },
    params: z.object({ target: z.string().describe('IPv4, IPv6 or hostname') }),
    query: z.object({ lang: languageSchema }),
    shape: { kind: 'envelope', data: sourcesSchema },
    answer({ params, query, snapshot }) {
      const answer = (address: TargetAddress) =>
        ok({ ip: address.ip, sources: records.verdictsOf(address, snapshot, query.lang) });
      const target = requireTarget(params.target);
      if (target.kind === 'address') return answer(target);
      return async () => answer(await requireAddressOfHost(target.name, resolver));
    },
  });
