import { z } from 'zod';
import type { NeighbourRecord, NetworkRecord } from '../release/records.js';

const linkedSchema = z
  .strictObject({
    asn: z.int().nonnegative().describe('AS number'),
    power: z
      .int()
      .positive()
      .describe('Number of distinct AS paths in which the two ASes are adjacent (decision 37)'),
    name: z.string().describe('AS name'),
  })
  .meta({ id: 'AsNeighbour' });

/** `data` of the AS topology; lists are ranked by `power`. */
export const topologySchema = z
  .strictObject({
    asn: z.int().nonnegative().describe('AS number'),
    upstreams: z.array(linkedSchema).describe('Providers, ranked by `power`'),
    downstreams: z.array(linkedSchema).describe('Customers, ranked by `power`'),
    peers: z.array(linkedSchema).describe('Peers, ranked by `power`'),
  })
  .meta({ id: 'AsTopology' });
export type Topology = z.infer<typeof topologySchema>;

/** Returns the neighbours of an AS. Undefined when no link of it was observed. */
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
