import { z } from 'zod';
import { okEncoded } from '../http/answer.js';
import { defineRoute, type Route } from '../http/route.js';
import { ipRecordSchema } from '../lookup/ip-record-schema.js';
import { languageSchema } from '../lookup/language.js';
import { RECORD_FIELDS, recordEncoder } from '../lookup/record-encoder.js';
import type { Parts } from '../parts.js';
import { clientAddress } from '../targets/target.js';

/** GET /api/ip -> {code, data: IP record of the caller} */
export const ownIp = ({ records }: Pick<Parts, 'records'>): Route =>
  defineRoute({
    method: 'get',
    paths: ['/api/ip'],
    operationId: 'ownIp',
    tag: 'Own IP',
    summary: "Location, network and risk of the caller's address.",
    terms: { kind: 'keyless', bucket: 'own-ip' },
    errors: { 400: '`fields` has an unknown name' },
    params: z.object({}),
    query: z.object({ lang: languageSchema, fields: RECORD_FIELDS.schema }),
    shape: { kind: 'envelope', data: ipRecordSchema },
    answer({ client, query, snapshot }) {
      const choice = RECORD_FIELDS.choose(query.fields);
      const encode = recordEncoder(records, { snapshot, language: query.lang, choice });
      return okEncoded(encode(clientAddress(client)));
    },
  });
