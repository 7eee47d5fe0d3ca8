import { z } from 'zod';
import { VANTAGE_POINTS } from '../../pipeline/vantage-points/catalogue.js';
import { vantagePointSchema } from '../global-dns/global-answer-schema.js';
import { bare } from '../http/answer.js';
import { defineRoute } from '../http/route.js';
import { languageSchema } from '../lookup/language.js';

/** GET /dns_global/api/regions -> [{code, label, flag, subnet}], without an envelope */
export const globalDnsRegions = defineRoute({
  method: 'get',
  paths: ['/dns_global/api/regions'],
  operationId: 'listDnsRegions',
  tag: 'Global DNS',
  summary: 'Regions for global DNS queries, with the client subnet of each.',
  terms: { kind: 'keyless', bucket: 'global-dns' },
  params: z.object({}),
  query: z.object({ lang: languageSchema }),
  shape: { kind: 'bare', body: z.array(vantagePointSchema) },
  answer: ({ query }) =>
    bare(
      VANTAGE_POINTS.map(({ code, label, flag, subnet }) => ({
        code,
        label: label[query.lang],
        flag,
        subnet,
      })),
    ),
});
