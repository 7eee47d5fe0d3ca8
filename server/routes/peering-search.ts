import { z } from 'zod';
import { peeringHitsSchema, searchPeering } from '../bgp/peering-hits.js';
import { ok } from '../http/answer.js';
import { defineRoute } from '../http/route.js';

/** GET /api/peering-index/search?q= -> 200 {code:0,data} | 400 shorter than two characters */
export const peeringSearch = defineRoute({
  method: 'get',
  paths: ['/api/peering-index/search'],
  operationId: 'searchPeeringIndex',
  tag: 'BGP and ASN',
  summary: 'Networks and facilities by AS number or by a part of their names.',
  terms: { kind: 'keyless', bucket: 'bgp' },
  params: z.object({}),
  query: z.object({
    q: z
      .string('q is missing, as in ?q=cloudflare')
      .trim()
      .min(2, 'q has fewer than 2 characters')
      .max(200, 'q has more than 200 characters'),
  }),
  shape: { kind: 'envelope', data: peeringHitsSchema },
  answer: ({ query, snapshot }) => ok(searchPeering(snapshot.peering, query.q)),
});
