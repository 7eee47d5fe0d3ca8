import { z } from 'zod';
import type { NeighbourRecord, NetworkRecord } from '../release/records.js';

const linkedSchema = z.strictObject({
  asn: z.int().nonnegative(),
  /** Distinct AS paths, prepends collapsed, in which the two stand side by side (ruling 37). */
  power: z.int().positive(),
  name: z.string(),
});

/** `data` of the AS topology; lists are ranked by `power`. */
export const topologySchema = z.strictObject({
  asn: z.int().nonnegative(),
  upstreams: z.array(linkedSchema),
  downstreams: z.array(linkedSchema),
  peers: z.array(linkedSchema),
});
export type Topology = z.infer<typeof topologySchema>;

/** Neighbours of an AS; absent when no link of it was seen. */
export function topologyOf(network: NetworkRecord | undefined): Topology | undefined {
  if (!network?.topology) return undefined;
  const { upstreams, downstreams, peers } = network.topology;
  return {
    asn: network.asn,
    upstreams: linked(upstreams),
    downstreams: linked(downstreams),
    peers: linked(peers),
  };
}

function linked(neighbours: readonly NeighbourRecord[] = []): Topology['peers'] {
  return neighbours.map(({ asn, power, name }) => ({ asn, power, name: name ?? '' }));
}
