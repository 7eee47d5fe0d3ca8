import { deadlineIn, type Deadline } from '../deadline.js';
import { Failure } from '../failure.js';
import { UNRESOLVED_TARGET } from '../lookup/resolve-target.js';
import type { NodeProbe, NodeProbeResult, NodeRelay } from '../nodes/node-relay.js';
import type { OnlineNode } from '../nodes/probe-node.js';
import { UpstreamError } from '../upstream-error.js';
import type { AskedProbe, NodeChoice } from './asked-probe.js';
import type { Probed } from './probe-result.js';
import { notPublic } from './require-addresses.js';

/** Time limit for one request, including retries at other nodes. */
const NODE_MS = 14_000;

/** What a probe from a node needs. */
export interface NodeProbeParts {
  readonly nodes: NodeRelay;
}

/**
 * Probes from a node: the named one, or a random one in the country. If a node refuses or its answer is invalid, tries
 * the next. The caller has already checked the target with our guard. Throws Failure: 404 if no node matches, 403 or 404
 * if the node rejects the target, 504 if the node is silent, 502 if every node refuses or answers invalidly, or the
 * nodes cannot be reached.
 */
export async function probeFromNode(
  { nodes }: NodeProbeParts,
  { target, port }: AskedProbe,
  from: NodeChoice,
): Promise<Probed> {
  const deadline = deadlineIn(NODE_MS);
  const probe = { host: target.kind === 'address' ? target.ip : target.name, port };
  let failure = 'the probe nodes are busy, try again later';
  for (const node of requireNodes(nodes.online(), from)) {
    const result = await ask(nodes, { node, probe, deadline });
    if (result.kind === 'refused') continue;
    if (result.kind === 'invalid') {
      failure = 'the probe node gave an invalid answer';
      continue;
    }
    const { ip, rtts } = requireDone(result);
    return { ip, rtts, node };
  }
  throw new Failure(502, failure);
}

/** Returns the matching nodes in random order. Throws Failure(404) with the available countries when none matches. */
function requireNodes(online: readonly OnlineNode[], from: NodeChoice): OnlineNode[] {
  const chosen = online.filter((node) =>
    from.kind === 'node' ? node.code === from.code : node.country_code === from.code,
  );
  if (chosen.length > 0) return shuffled(chosen);
  const countries = [...new Set(online.map(({ country_code }) => country_code))].sort();
  throw new Failure(404, 'no matching probe node is online', { available_countries: countries });
}

/** Shuffles a copy (Fisher-Yates). */
function shuffled<Element>(elements: readonly Element[]): Element[] {
  const rest = [...elements];
  return elements.map(() => rest.splice(Math.floor(Math.random() * rest.length), 1)[0]!);
}

interface Question {
  readonly node: OnlineNode;
  readonly probe: NodeProbe;
  readonly deadline: Deadline;
}

async function ask(nodes: NodeRelay, { node, probe, deadline }: Question): Promise<NodeProbeResult> {
  try {
    return await nodes.probe(node, probe, deadline);
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    throw new Failure(502, 'the probe nodes cannot be reached, try again later', {}, { cause: error });
  }
}

function requireDone(
  result: Exclude<NodeProbeResult, { kind: 'refused' | 'invalid' }>,
): Extract<NodeProbeResult, { kind: 'done' }> {
  switch (result.kind) {
    case 'done':
      return result;
    case 'not-public':
      throw notPublic();
    case 'not-found':
      throw new Failure(404, UNRESOLVED_TARGET);
    case 'silent':
      throw new Failure(504, 'the probe node did not answer in time');
  }
}
