import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { bareEncoded, text } from '../http/answer.js';
import { defineRoute, type Route } from '../http/route.js';
import { flatIpRecordSchema } from '../lookup/ip-record-schema.js';
import { languageSchema } from '../lookup/language.js';
import { FLAT_FIELDS, flatText } from '../lookup/record-encoder.js';
import type { Parts } from '../parts.js';
import { clientAddress } from '../targets/target.js';

/** GET /?format=json -> like GET /json; without `format` only the address for command-line clients */
export const ownIpRoot = ({ records }: Pick<Parts, 'records'>): Route =>
  defineRoute({
    method: 'get',
    paths: ['/'],
    operationId: 'ownIpRoot',
    tag: 'Own IP',
    summary:
      "The caller's address: like /json, or like /ip for curl and clients that accept text/plain. Browsers get a page.",
    terms: { kind: 'keyless', bucket: 'own-ip' },
    errors: { 400: '`fields` has an unknown name' },
    params: z.object({}),
    query: z.object({
      lang: languageSchema,
      fields: FLAT_FIELDS.schema,
      format: z.string().optional().describe('`json` returns JSON to every client'),
    }),
    shape: { kind: 'bare', body: flatIpRecordSchema, text: z.string() },
    answer({ client, query, snapshot, headers }) {
      const choice = FLAT_FIELDS.choose(query.fields);
      if (query.format !== 'json' && wantsText(headers)) return text(`${client}\n`);
      const wanted = { snapshot, language: query.lang, choice };
      return bareEncoded(flatText(records, clientAddress(client), wanted));
    },
  });

/** User-Agent of common command-line clients. */
const COMMAND_LINE = /^(?:curl|wget|httpie|fetch libfetch)\b/i;

/** Returns whether to answer in text: for text/plain in `Accept`, or for command-line clients without a preference. */
function wantsText({ accept = '*/*', 'user-agent': agent = '' }: IncomingHttpHeaders): boolean {
  if (/\b(?:application\/json|text\/html)\b/i.test(accept)) return false;
  return /\btext\/plain\b/i.test(accept) || COMMAND_LINE.test(agent);
}
