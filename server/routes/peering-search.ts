import { z } from 'zod';
import { peeringHitsSchema, searchPeering } from '../bgp/peering-hits.js';
import { ok } from '../http/answer.js';
import { defineRoute } from '../http/route.js';

/** GET /api/peering-index/search?q= -> 200 {code:0,data} | 400 q missing, too short or too long */
export const peeringSearch = defineRoute({
  method: 'get',
  paths: ['/api/peering-index/search'],
  operationId: 'searchPeeringIndex',
  tag: 'BGP and ASN',
  summary: 'Networks and facilities by AS number or part of a name.',
  terms: { kind: 'keyless', bucket: 'bgp' },
  errors: {
    400: '`q` is missing, or has fewer than 2 or more than 200 characters',
  },
  params: z.object({}),
  query: z.object({
    q: z
      .string('q is missing, as in ?q=cloudflare')
      .trim()
      .min(2, 'q has fewer than 2 characters')
      .max(200, 'q has more than 200 characters')
      .describe('AS number, or part of a name; 2 to 200 characters'),
  }),
  shape: { kind: 'envelope', data: peeringHitsSchema },
  answer: ({ query, snapshot }) => ok(searchPeering(snapshot.peering, query.q)),
});
