import assert from 'node:assert/strict';
import { z } from 'zod';
import { ok, type Answer } from '../http/answer.js';
import { defineRoute, type Route, type Work } from '../http/route.js';
import type { Parts } from '../parts.js';
import { requireProbe, type AskedProbe } from '../probe/asked-probe.js';
import { countTarget } from '../probe/count-target.js';
import { probeFromNode } from '../probe/node-probe.js';
import { probeFromHere } from '../probe/origin-probe.js';
import { creditsOf, probeQuerySchema } from '../probe/probe-query.js';
import { probeResultSchema, resultOf } from '../probe/probe-result.js';
import { notPublic, requireAddresses } from '../probe/require-addresses.js';

type ProbeParts = Pick<Parts, 'guard' | 'hosts' | 'prober' | 'nodes' | 'probeTargets' | 'refusedPorts'>;

/**
 * GET /api/tcping/{target} -> {code, data: TCP probe result} | 400 no target, port or country | 401 | 403 not public, or
 * a refused port | 404 no address, or no node online | 429 too many hosts or ports | 502 no name server or node answers |
 * 503 too many probes | 504 silent node
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
      403: 'The target is private or reserved, or the operator refuses the port',
      404: 'The host has no address, or no such node is online; then with `available_countries`',
      429: 'Too many different hosts or ports in this hour; then with `limit`, `reset_at` and `reset_iso`',
      502: 'No name server answered, or the node failed',
      503: 'Too many probes are running',
      504: 'The node did not answer in time',
    },
    params: z.object({ target: z.string().describe('`host`, `host:port` or `[ipv6]:port`') }),
    query: probeQuerySchema,
    shape: { kind: 'envelope', data: probeResultSchema },
    answer({ params, query, account }) {
      assert(account, 'a route that requires a key has an account');
      const asked = requireProbe(params.target, query, parts.refusedPorts);
      const work = (ip: string) => workOn(parts, asked, { ip, accountId: account.id });
      const { target } = asked;
      if (target.kind === 'address') {
        if (!parts.guard.allows(target.ip)) throw notPublic();
        return work(target.ip);
      }
      const look = async (): Promise<Work> => work((await requireAddresses(parts.hosts, target))[0]);
      return { kind: 'preflight', look };
    },
  });

/**
 * Returns the work of a probe, which counts its target first (decision 67). A node gets the host name, resolves it itself
 * and checks the addresses again. The address that it probed counts too.
 */
function workOn(
  { prober, nodes, probeTargets }: ProbeParts,
  asked: AskedProbe,
  { ip, accountId }: { readonly ip: string; readonly accountId: number },
): Work {
  const { port, from } = asked;
  return async (): Promise<Answer> => {
    await countTarget(probeTargets, accountId, { ip, port });
    if (from === undefined) return ok(resultOf(asked, await probeFromHere(prober, asked, ip)));
    const probed = await probeFromNode({ nodes }, asked, from);
    if (probed.ip !== ip) await countTarget(probeTargets, accountId, { ip: probed.ip, port });
    return ok(resultOf(asked, probed));
  };
}
