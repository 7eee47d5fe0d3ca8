import { z } from 'zod';
import { REGIONS } from '../../pipeline/regions/regions.js';
import { regionSchema } from '../global-dns/global-answer-schema.js';
import { bare } from '../http/answer.js';
import { defineRoute } from '../http/route.js';
import { languageSchema } from '../lookup/language.js';

/** GET /dns_global/api/regions -> [{code, label, flag, subnet}], without an envelope */
export const globalDnsRegions = defineRoute({
  method: 'get',
  paths: ['/dns_global/api/regions'],
  operationId: 'listDnsRegions',
  tag: 'Global DNS',
  summary: 'Places from which names can be looked up, and the subnets that stand for them.',
  terms: { kind: 'keyless', bucket: 'global-dns' },
  params: z.object({}),
  query: z.object({ lang: languageSchema }),
  shape: { kind: 'bare', body: z.array(regionSchema) },
  answer: ({ query }) =>
    bare(REGIONS.map(({ code, label, flag, subnet }) => ({ code, label: label[query.lang], flag, subnet }))),
});
