import { z } from 'zod';
import { findRoute, parseCidr } from '../bgp/find-route.js';
import { ok } from '../http/answer.js';
import { Failure } from '../failure.js';
import { defineRoute } from '../http/route.js';

const upstreamsSchema = z
  .strictObject({
    prefix: z.string().describe('The prefix as it was sent'),
    origin_as: z.int().nonnegative().describe('AS that announces the prefix'),
    upstreams: z
      .array(
        z.strictObject({
          asn: z.int().nonnegative().describe('AS number'),
          count: z.int().positive().describe('Observed paths, one per peer and path id (decision 37)'),
        }),
      )
      .describe('ASes next to the origin, most paths first'),
  })
  .meta({ id: 'PrefixUpstreams' });

/**
 * GET /api/prefix-upstreams?prefix= -> 200 {code:0,data} | 400 invalid prefix | 404 not announced, or without an origin
 */
export const prefixUpstreams = defineRoute({
  method: 'get',
  paths: ['/api/prefix-upstreams'],
  operationId: 'getPrefixUpstreams',
  tag: 'BGP and ASN',
  summary: 'The origin of an announced prefix and its upstream networks.',
  terms: { kind: 'keyless', bucket: 'bgp' },
  errors: {
    400: '`prefix` is missing or is not a CIDR prefix',
    404: 'The prefix is not announced',
  },
  params: z.object({}),
  query: z.object({
    prefix: z.string('prefix is missing, as in ?prefix=8.8.8.0/24').trim().describe('CIDR prefix'),
  }),
  shape: { kind: 'envelope', data: upstreamsSchema },
  answer: ({ query, snapshot }) => {
    const prefix = parseCidr(query.prefix);
    if (!prefix) throw new Failure(400, 'invalid prefix: expected CIDR such as 8.8.8.0/24 or 2001:db8::/32');
    const route = findRoute(snapshot, prefix);
    if (route?.origin === undefined) throw new Failure(404, 'the prefix is not announced');
    const upstreams = (route.upstreams ?? []).map(({ asn, count }) => ({ asn, count }));
    return ok({ prefix: query.prefix, origin_as: route.origin, upstreams });
  },
});
