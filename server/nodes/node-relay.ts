import type { Deadline } from '../deadline.js';
import type { RoundTrips } from '../probe/prober.js';
import type { OnlineNode } from './probe-node.js';

/** The target of a probe from a node: 4 attempts of up to 3 s (decision 34). */
export interface NodeProbe {
  /** Host as the caller wrote it. The node resolves it and checks it with its own guard. */
  readonly host: string;
  readonly port: number;
}

/** The result of a probe from a node. */
export type NodeProbeResult =
  /** Measured. Our guard allows `ip` too. */
  | { readonly kind: 'done'; readonly ip: string; readonly rtts: RoundTrips }
  /** The host has no public address. */
  | { readonly kind: 'not-public' }
  /** The host has no address. */
  | { readonly kind: 'not-found' }
  /** The node refused for another reason: busy, leaving, or its name servers do not answer. */
  | { readonly kind: 'refused' }
  /** The node answered with another address, one that may not be probed, or an impossible time (decision 65). */
  | { readonly kind: 'invalid' }
  /** No answer in time. A late answer is dropped. */
  | { readonly kind: 'silent' };

/** The online nodes, in whichever process they are connected, and a way to probe from them. */
export interface NodeRelay {
  /** Returns the online nodes by id, as last known. */
  online(): readonly OnlineNode[];
  /** Probes from a node, through the process it is connected to. Throws UpstreamError when Redis fails. */
  probe(node: OnlineNode, probe: NodeProbe, deadline: Deadline): Promise<NodeProbeResult>;
}
