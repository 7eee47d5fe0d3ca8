import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { bare, text } from '../http/answer.js';
import { defineRoute, type Route } from '../http/route.js';
import { flatIpRecordSchema } from '../lookup/ip-record-schema.js';
import { languageSchema } from '../lookup/language.js';
import type { Parts } from '../parts.js';
import { clientAddress } from '../targets/target.js';

/** GET /?format=json -> as GET /json; without `format` the address alone for command lines */
export const ownIpRoot = ({ records }: Pick<Parts, 'records'>): Route =>
  defineRoute({
    method: 'get',
    paths: ['/'],
    operationId: 'ownIpRoot',
    tag: 'Own IP',
    summary: "The caller's address: as /json, or as /ip for curl and whoever accepts text/plain.",
    terms: { kind: 'keyless', bucket: 'own-ip' },
    params: z.object({}),
    query: z.object({ lang: languageSchema, format: z.string().optional().describe('`json`') }),
    shape: { kind: 'bare', body: flatIpRecordSchema, text: z.string() },
    answer({ client, query, snapshot, headers }) {
      if (query.format !== 'json' && wantsText(headers)) return text(`${client}\n`);
      return bare(records.flatRecordOf(clientAddress(client), snapshot, query.lang));
    },
  });

/** What the usual command lines call themselves. */
const COMMAND_LINE = /^(?:curl|wget|httpie|fetch libfetch)\b/i;

/** Whether somebody at a terminal asks; who names formats in `Accept` gets what it names. */
function wantsText({ accept = '*/*', 'user-agent': agent = '' }: IncomingHttpHeaders): boolean {
  if (/\b(?:application\/json|text\/html)\b/i.test(accept)) return false;
  return /\btext\/plain\b/i.test(accept) || COMMAND_LINE.test(agent);
}
