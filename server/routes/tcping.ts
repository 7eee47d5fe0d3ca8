import { z } from 'zod';
import { ok, type Answer } from '../http/answer.js';
import { defineRoute, type Route, type Work } from '../http/route.js';
import type { Parts } from '../parts.js';
import { requireProbe, type AskedProbe } from '../probe/asked-probe.js';
import { probeFromNode } from '../probe/node-probe.js';
import { probeFromHere } from '../probe/origin-probe.js';
import { creditsOf, probeQuerySchema } from '../probe/probe-query.js';
import { probeResultSchema, resultOf } from '../probe/probe-result.js';
import { notPublic, requireAddresses } from '../probe/require-addresses.js';

type ProbeParts = Pick<Parts, 'guard' | 'hosts' | 'prober' | 'nodes'>;

/**
 * GET /api/tcping/{target} -> {code, data: TCP probe result} | 400 no target, port or country | 401 | 403 not public |
 * 404 no address, or no node online | 502 no name server or node answers | 503 too many probes | 504 silent node
 *
 * If the caller hangs up, the probe runs to its end (51 s at most) and is charged (decision 51).
 */
export const tcping = (parts: ProbeParts): Route =>
  defineRoute({
    method: 'get',
    paths: ['/api/tcping/:target'],
    operationId: 'probeTcp',
    tag: 'Network probing',
    summary: 'Time to connect to a TCP port, from the server or from a probe node.',
    terms: {
      kind: 'metered',
      key: 'required',
      credits: ({ query }) => creditsOf(query),
      describeCredits: '1 per attempt; 4 from a node',
    },
    errors: {
      400: 'The target, port or country is invalid',
      403: 'The target is private or reserved',
      404: 'The host has no address, or no such node is online; then with `available_countries`',
      502: 'No name server answered, or the node failed',
      503: 'Too many probes are running',
      504: 'The node did not answer in time',
    },
    params: z.object({ target: z.string().describe('`host`, `host:port` or `[ipv6]:port`') }),
    query: probeQuerySchema,
    shape: { kind: 'envelope', data: probeResultSchema },
    answer({ params, query }) {
      const asked = requireProbe(params.target, query);
      const { target } = asked;
      if (target.kind === 'address') {
        if (!parts.guard.allows(target.ip)) throw notPublic();
        return workOn(parts, asked, target.ip);
      }
      const look = async (): Promise<Work> =>
        workOn(parts, asked, (await requireAddresses(parts.hosts, target))[0]);
      return { kind: 'preflight', look };
    },
  });

/** Returns the work of a probe. A node gets the host name, resolves it itself and checks the addresses again. */
function workOn(parts: ProbeParts, asked: AskedProbe, ip: string): Work {
  const { from } = asked;
  return async (): Promise<Answer> =>
    ok(
      resultOf(
        asked,
        await (from === undefined
          ? probeFromHere(parts.prober, asked, ip)
          : probeFromNode(parts, asked, from)),
      ),
    );
}
