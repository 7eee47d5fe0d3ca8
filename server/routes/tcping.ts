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
 * A caller who hangs up has had it done: the probe goes on to its end, 51 s at most, and is paid for like any other.
 */
export const tcping = (parts: ProbeParts): Route =>
  defineRoute({
    method: 'get',
    paths: ['/api/tcping/:target'],
    operationId: 'probeTcp',
    tag: 'Network probing',
    summary: 'Time to connect to a TCP port, from here or from a probe node.',
    terms: { kind: 'metered', key: 'required', credits: ({ query }) => creditsOf(query) },
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
      const inquire = async (): Promise<Work> =>
        workOn(parts, asked, (await requireAddresses(parts.hosts, target))[0]);
      return { kind: 'inquiry', inquire };
    },
  });

/** A node is told the host: what it finds there is its own business, and is held against the guard again. */
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
