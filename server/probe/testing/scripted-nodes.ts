import { leftOf, type Deadline } from '../../deadline.js';
import type { NodeProbe, NodeProbeResult, NodeRelay } from '../../nodes/node-relay.js';
import type { OnlineNode } from '../../nodes/probe-node.js';

/** How a node replies. `error` is thrown. */
export type Script = NodeProbeResult | { readonly kind: 'error'; readonly error: Error };

/** A relay whose nodes follow a script. */
export class ScriptedNodes implements NodeRelay {
  readonly asked: { readonly code: string; readonly probe: NodeProbe; readonly leftMs: number }[] = [];

  /** Scripts by node code. The first two letters of a code are the country. */
  constructor(readonly scripts: Map<string, Script>) {}

  online(): readonly OnlineNode[] {
    return [...this.scripts.keys()].map((code, i) => onlineNode(i + 1, code));
  }

  probe({ code }: OnlineNode, probe: NodeProbe, deadline: Deadline): Promise<NodeProbeResult> {
    this.asked.push({ code, probe, leftMs: leftOf(deadline) });
    const script = this.scripts.get(code)!;
    return script.kind === 'error' ? Promise.reject(script.error) : Promise.resolve(script);
  }
}

function onlineNode(id: number, code: string): OnlineNode {
  return {
    id,
    code,
    name: `节点 ${code}`,
    name_en: `Node ${code}`,
    isp: 'example',
    region: 'Asia',
    country: 'Somewhere',
    country_code: code.slice(0, 2).toUpperCase(),
    province: '',
    city: `${code} City`,
    ipv6: 1,
    agent_version: '1.0.0',
    status: 1,
    last_seen: '2026-11-21T00:00:00.000Z',
  };
}
