import { deadlineIn, type Deadline } from '../deadline.js';
import type { EgressGuard } from '../egress/egress-guard.js';
import type { NodeCounts } from './node-counts.js';
import type { NodeHub } from './node-hub.js';
import type { NodeProbe, NodeProbeResult, NodeRelay } from './node-relay.js';
import type { NodeTimes } from '../config.js';
import type { OnlineView } from './online-view.js';
import type { OnlineNode } from './probe-node.js';
import type { ProcessMail } from './process-mail.js';

/** What a relay goes over. */
export interface RelayParts {
  readonly hub: NodeHub;
  readonly view: OnlineView;
  readonly mail: Pick<ProcessMail, 'ask'>;
  readonly guard: EgressGuard;
  readonly times: NodeTimes;
  readonly counts: NodeCounts;
}

/** A way to every node: to those of this process at once, to others by mail to theirs. */
export class RedisRelay implements NodeRelay {
  constructor(private readonly parts: RelayParts) {}

  online(): readonly OnlineNode[] {
    return this.parts.view.nodes();
  }

  async probe(node: OnlineNode, probe: NodeProbe, outer: Deadline): Promise<NodeProbeResult> {
    const result = await this.#ask(node, probe, deadlineIn(this.parts.times.answerMs, outer));
    // Ruling 33: whatever the node has tried, nothing is said of an address that is not public.
    if (result.kind !== 'done' || this.parts.guard.allows(result.ip)) return result;
    this.parts.counts.add('not_public_answer');
    return { kind: 'not-public' };
  }

  async #ask({ id }: OnlineNode, probe: NodeProbe, deadline: Deadline): Promise<NodeProbeResult> {
    const { hub, view, mail } = this.parts;
    const session = hub.find(id);
    if (session !== undefined) return await session.run(probe, deadline);
    const presence = view.presenceOf(id);
    // It was not asked: another one may be.
    if (presence === undefined) return { kind: 'refused' };
    return await mail.ask(presence.process, { node: id, ...probe }, deadline);
  }
}
