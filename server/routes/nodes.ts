import { z } from 'zod';
import { ok } from '../http/answer.js';
import { defineRoute, type Route } from '../http/route.js';
import type { Parts } from '../parts.js';

const nodeSchema = z.strictObject({
  id: z.number().int(),
  name: z.string(),
  name_en: z.string(),
  code: z.string(),
  isp: z.string(),
  region: z.string(),
  country: z.string(),
  country_code: z.string(),
  province: z.string(),
  city: z.string(),
  ipv6: z.union([z.literal(0), z.literal(1)]),
  agent_version: z.string(),
  status: z.literal(1),
  last_seen: z.iso.datetime(),
});

/** GET /api/nodes -> 200 {code:0,data} */
export const nodes = ({ nodes }: Pick<Parts, 'nodes'>): Route =>
  defineRoute({
    method: 'get',
    paths: ['/api/nodes'],
    operationId: 'listNodes',
    tag: 'Network tools',
    summary: 'Probe nodes that are online.',
    terms: { kind: 'keyless', bucket: 'bgp' },
    params: z.object({}),
    query: z.object({}),
    shape: { kind: 'envelope', data: z.array(nodeSchema) },
    answer: () => ok(nodes.online()),
  });
