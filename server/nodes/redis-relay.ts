import { deadlineIn, type Deadline } from '../deadline.js';
import type { NodeHub } from './node-hub.js';
import type { NodeProbe, NodeProbeResult, NodeRelay } from './node-relay.js';
import type { NodeTimes } from '../config.js';
import type { OnlineView } from './online-view.js';
import type { OnlineNode } from './probe-node.js';
import type { ProcessMessages } from './process-messages.js';

/** What a relay needs. */
export interface RelayParts {
  readonly hub: NodeHub;
  readonly view: OnlineView;
  readonly messages: Pick<ProcessMessages, 'ask'>;
  readonly times: NodeTimes;
}

/** Reaches every node: directly in this process, or through the process it is connected to. */
export class RedisRelay implements NodeRelay {
  constructor(private readonly parts: RelayParts) {}

  online(): readonly OnlineNode[] {
    return this.parts.view.nodes();
  }

  async probe({ id }: OnlineNode, probe: NodeProbe, outer: Deadline): Promise<NodeProbeResult> {
    const { hub, view, messages, times } = this.parts;
    const deadline = deadlineIn(times.answerMs, outer);
    const session = hub.find(id);
    if (session !== undefined) return await session.run(probe, deadline);
    const presence = view.presenceOf(id);
    // No job was sent, so another node may be tried.
    if (presence === undefined) return { kind: 'refused' };
    return await messages.ask(presence.process, { node: id, ...probe }, deadline);
  }
}
