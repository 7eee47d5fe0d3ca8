import { z } from 'zod';
import { okEncoded } from '../http/answer.js';
import { defineRoute, type Route } from '../http/route.js';
import { ipRecordSchema } from '../lookup/ip-record-schema.js';
import { languageSchema } from '../lookup/language.js';
import { RECORD_FIELDS, recordEncoder } from '../lookup/record-encoder.js';
import { requireAddressOfHost, requireTarget } from '../lookup/resolve-target.js';
import type { Parts } from '../parts.js';

/** GET /api/ip/{target} -> {code, data: IP record} | 400 invalid target | 404 no address | 502 no name server */
export const ipLookup = ({ records, resolver }: Pick<Parts, 'records' | 'resolver'>): Route =>
  defineRoute({
    method: 'get',
    paths: ['/api/ip/:target'],
    operationId: 'lookupIp',
    tag: 'IP lookup',
    summary: 'Location, network and risk of an address or host name.',
    terms: { kind: 'metered', key: 'optional', credits: 1 },
    errors: {
      400: 'The target is not an IP address or a host name, or `fields` has an unknown name',
      404: 'The host name has no address',
      502: 'No name server answered',
    },
    params: z.object({ target: z.string().describe('IPv4, IPv6 or hostname') }),
    query: z.object({ lang: languageSchema, fields: RECORD_FIELDS.schema }),
    shape: { kind: 'envelope', data: ipRecordSchema },
    answer({ params, query, snapshot }) {
      const target = requireTarget(params.target);
      const choice = RECORD_FIELDS.choose(query.fields);
      const encode = recordEncoder(records, { snapshot, language: query.lang, choice });
      if (target.kind === 'address') return okEncoded(encode(target));
      return async () => okEncoded(encode(await requireAddressOfHost(target.name, resolver)));
    },
  });
