import type { Deadline } from '../deadline.js';
import type { RoundTrips } from '../probe/prober.js';
import type { OnlineNode } from './probe-node.js';

/** What a node is asked to try: 4 attempts at 3 s (ruling 34). */
export interface NodeProbe {
  /** Host as the caller named it: the node resolves and guards it again. */
  readonly host: string;
  readonly port: number;
}

/** What a node says of it. */
export type NodeProbeResult =
  /** `ip` has been held against our guard too. */
  | { readonly kind: 'done'; readonly ip: string; readonly rtts: RoundTrips }
  /** It found no public address, or named one that is none. */
  | { readonly kind: 'not-public' }
  /** It says that the host has no address. */
  | { readonly kind: 'not-found' }
  /** It refused for another reason: too much to do, going away, or its name servers do not answer. */
  | { readonly kind: 'refused' }
  /** It did not answer in time; what comes later is dropped. */
  | { readonly kind: 'silent' };

/** The nodes that are online, wherever their sockets are, and a way to each of them. */
export interface NodeRelay {
  /** As heard lately, in no time; by id. */
  online(): readonly OnlineNode[];
  /** Asks one node, over whichever process holds its socket. Throws UpstreamError when Redis does not answer. */
  probe(node: OnlineNode, probe: NodeProbe, deadline: Deadline): Promise<NodeProbeResult>;
}
