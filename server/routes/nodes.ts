import { z } from 'zod';
import { ok } from '../http/answer.js';
import { defineRoute, type Route } from '../http/route.js';
import type { Parts } from '../parts.js';

const nodeSchema = z
  .strictObject({
    id: z.number().int().describe('Id of the node'),
    name: z.string().describe('Chinese name'),
    name_en: z.string().describe('English name'),
    code: z.string().describe('Value of the parameter `node` of a probe'),
    isp: z.string().describe('Code of the operator'),
    region: z.string().describe('Part of the world'),
    country: z.string().describe('Country name'),
    country_code: z.string().describe('ISO 3166-1 alpha-2'),
    province: z.string().describe('Province or state'),
    city: z.string().describe('City'),
    ipv6: z.union([z.literal(0), z.literal(1)]).describe('1: the node has IPv6'),
    agent_version: z.string().describe('Version of the agent'),
    status: z.literal(1).describe('1: online; only such nodes are listed'),
    last_seen: z.iso.datetime().describe('Last heartbeat, ISO 8601'),
  })
  .meta({ id: 'ProbeNode' });

/** GET /api/nodes -> 200 {code:0,data} */
export const nodes = ({ nodes }: Pick<Parts, 'nodes'>): Route =>
  defineRoute({
    method: 'get',
    paths: ['/api/nodes'],
    operationId: 'listNodes',
    tag: 'Network tools',
    summary: 'Online probe nodes.',
    terms: { kind: 'keyless', bucket: 'bgp' },
    params: z.object({}),
    query: z.object({}),
    shape: { kind: 'envelope', data: z.array(nodeSchema) },
    answer: () => ok(nodes.online()),
  });
