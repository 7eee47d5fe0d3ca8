import { z } from 'zod';
import { profileSchema } from '../bgp/profile.js';
import { topologySchema } from '../bgp/topology.js';
import { Failure } from '../failure.js';
import type { RouteCaller } from './route-caller.js';
import { defineTool } from './tool.js';

/** Longer lists are cut: they fill the context of a model and help it little. */
const MOST_PREFIXES = 100;
const MOST_NEIGHBOURS = 50;

/** `route_and_as`: a prefix or an AS. */
export const routeAndAs = defineTool({
  name: 'route_and_as',
  title: 'Route and AS',
  description: `The origin and upstreams of an announced prefix, or the profile and neighbours of an AS. Lists are cut after ${MOST_PREFIXES} prefixes and ${MOST_NEIGHBOURS} neighbours. Free.`,
  input: z.object({
    target: z
      .string()
      .min(1)
      .max(50)
      .describe('Prefix such as 1.1.1.0/24, or AS number such as AS13335 or 13335'),
  }),
  output: z.object({
    route: z
      .object({
        prefix: z.string(),
        origin_as: z.int(),
        upstreams: z.array(z.object({ asn: z.int(), count: z.int() })),
      })
      .exactOptional()
      .describe('Only for a prefix'),
    as: profileSchema.loose().exactOptional().describe('Profile of the AS, or of the origin of the prefix'),
    topology: topologySchema
      .loose()
      .exactOptional()
      .describe('Neighbours of the AS; absent if none was observed'),
  }),
  isLocal: true,
  run: async ({ target }, call) => {
    const [, asn] = /^(?:as\s*)?(\d{1,10})$/i.exec(target.trim()) ?? [];
    if (asn !== undefined) return await asOf(asn, call);
    const route = (await call('getPrefixUpstreams', { query: { prefix: target } })) as { origin_as: number };
    return { route, ...(await asOf(String(route.origin_as), call)) };
  },
});

async function asOf(asn: string, call: RouteCaller): Promise<Record<string, unknown>> {
  const as = profileSchema.parse(await call('getAsProfile', { params: { asn } }));
  const shown = {
    ...as,
    ipv4_prefixes: as.ipv4_prefixes.slice(0, MOST_PREFIXES),
    ipv6_prefixes: as.ipv6_prefixes.slice(0, MOST_PREFIXES),
  };
  const topology = await topologyOf(asn, call);
  return topology === undefined ? { as: shown } : { as: shown, topology };
}

async function topologyOf(asn: string, call: RouteCaller): Promise<unknown> {
  try {
    const { upstreams, downstreams, peers, ...rest } = topologySchema.parse(
      await call('getAsTopology', { params: { asn } }),
    );
    const first = <Item>(items: readonly Item[]): Item[] => items.slice(0, MOST_NEIGHBOURS);
    return { ...rest, upstreams: first(upstreams), downstreams: first(downstreams), peers: first(peers) };
  } catch (error) {
    if (error instanceof Failure && error.code === 404) return undefined;
    throw error;
  }
}
