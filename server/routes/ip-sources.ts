import { z } from 'zod';
import { ok } from '../http/answer.js';
import { defineRoute, type Route } from '../http/route.js';
import { FieldNames, pickFields } from '../lookup/fields.js';
import { sourcesSchema } from '../lookup/ip-record-schema.js';
import { languageSchema } from '../lookup/language.js';
import { requireAddressOfHost, requireTarget } from '../lookup/resolve-target.js';
import type { Parts } from '../parts.js';
import type { TargetAddress } from '../targets/target.js';

/** The parameter `fields` of the verdicts. */
const FIELDS = new FieldNames(sourcesSchema);

/**
 * GET /api/ip/{target}/sources -> {code, data: {ip, sources}} | 400 invalid target | 404 no address | 502 no name
 * server
 */
export const ipSources = ({ records, resolver }: Pick<Parts, 'records' | 'resolver'>): Route =>
  defineRoute({
    method: 'get',
    paths: ['/api/ip/:target/sources'],
    operationId: 'lookupIpSources',
    tag: 'IP lookup',
    summary: 'The unmerged verdict of each geolocation database on an address or host name.',
    terms: { kind: 'metered', key: 'optional', credits: 2 },
    errors: {
      400: 'The target is not an IP address or a host name, or `fields` has an unknown name',
      404: 'The host name has no address',
      502: 'No name server answered',
    },
    params: z.object({ target: z.string().describe('IPv4, IPv6 or hostname') }),
    query: z.object({ lang: languageSchema, fields: FIELDS.schema }),
    shape: { kind: 'envelope', data: sourcesSchema },
    answer({ params, query, snapshot }) {
      const choice = FIELDS.choose(query.fields);
      const answer = (address: TargetAddress) => {
        const found = { ip: address.ip, sources: records.verdictsOf(address, snapshot, query.lang) };
        return ok(choice === undefined ? found : pickFields(found, choice));
      };
      const target = requireTarget(params.target);
      if (target.kind === 'address') return answer(target);
      return async () => answer(await requireAddressOfHost(target.name, resolver));
    },
  });
