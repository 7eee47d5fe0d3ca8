import { z } from 'zod';
import { asnText } from '../bgp/parse-asn.js';
import { topologyOf, topologySchema } from '../bgp/topology.js';
import { ok } from '../http/answer.js';
import { Failure } from '../failure.js';
import { defineRoute } from '../http/route.js';

/** GET /api/as-topo/{asn} -> 200 {code:0,data} | 400 invalid AS number | 404 no topology */
export const asTopology = defineRoute({
  method: 'get',
  paths: ['/api/as-topo/:asn'],
  operationId: 'getAsTopology',
  tag: 'BGP and ASN',
  summary: 'Upstreams, downstreams and peers of an autonomous system, the most observed first.',
  terms: { kind: 'keyless', bucket: 'bgp' },
  errors: {
    400: 'The AS number has other characters than digits, or more than 32 bits',
    404: 'There is no topology data for the AS',
  },
  params: z.object({ asn: asnText.describe('AS number, digits only') }),
  query: z.object({}),
  shape: { kind: 'envelope', data: topologySchema },
  answer: ({ params, snapshot }) => {
    const topology = topologyOf(snapshot.networkOf(params.asn));
    if (!topology) throw new Failure(404, `no topology data for AS${params.asn}`);
    return ok(topology);
  },
});
