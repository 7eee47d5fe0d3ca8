import { z } from 'zod';
import { bareEncoded } from '../http/answer.js';
import { defineRoute, type Route } from '../http/route.js';
import { flatIpRecordSchema } from '../lookup/ip-record-schema.js';
import { languageSchema } from '../lookup/language.js';
import { FLAT_FIELDS, flatText } from '../lookup/record-encoder.js';
import type { Parts } from '../parts.js';
import { clientAddress } from '../targets/target.js';

/** GET /json -> the caller's flat record, without an envelope */
export const ownIpFlat = ({ records }: Pick<Parts, 'records'>): Route =>
  defineRoute({
    method: 'get',
    paths: ['/json'],
    operationId: 'ownIpFlat',
    tag: 'Own IP',
    summary: "The caller's address and its location, as a flat object.",
    terms: { kind: 'keyless', bucket: 'own-ip' },
    errors: { 400: '`fields` has an unknown name' },
    params: z.object({}),
    query: z.object({ lang: languageSchema, fields: FLAT_FIELDS.schema }),
    shape: { kind: 'bare', body: flatIpRecordSchema },
    answer({ client, query, snapshot }) {
      const choice = FLAT_FIELDS.choose(query.fields);
      const wanted = { snapshot, language: query.lang, choice };
      return bareEncoded(flatText(records, clientAddress(client), wanted));
    },
  });
