import { z } from 'zod';
import { Failure } from '../failure.js';
import { profileSchema } from '../bgp/profile.js';
import { topologySchema } from '../bgp/topology.js';
import { dnsRecordSchema } from '../dns/record-schema.js';
import { globalAnswerSchema } from '../global-dns/global-answer-schema.js';
import { ipRecordSchema, sourcesSchema } from '../lookup/ip-record-schema.js';
import { probeResultSchema } from '../probe/probe-result.js';
import { whoisRecordSchema } from '../whois/whois-record-schema.js';
import type { RouteCaller } from './route-caller.js';
import { defineTool, errorSchema, itemError, type Tool } from './tool.js';

const MOST_TARGETS = 25;
const MOST_PLACES = 10;
/** Longer lists and texts are cut: they fill the context of a model and help it little. */
const MOST_PREFIXES = 100;
const MOST_NEIGHBOURS = 50;
const MOST_RAW = 4000;

const language = z.enum(['en', 'zh']).default('en').describe('Language of names');
const address = z.string().min(1).max(253);

/** The record, or the chosen fields of it. */
const chosenRecordSchema = ipRecordSchema
  .extend({ bgp: ipRecordSchema.shape.bgp.partial().loose() })
  .partial()
  .loose();

const lookup = defineTool({
  name: 'lookup',
  title: 'Look up IP addresses',
  description: `Location, operator, AS, route, proxy and cloud data of up to ${MOST_TARGETS} IP addresses or host names. One credit each. A failed target has an error and does not affect the others.`,
  input: z.object({
    targets: z.array(address.describe('IPv4, IPv6 or host name')).min(1).max(MOST_TARGETS),
    fields: z
      .array(z.string())
      .min(1)
      .exactOptional()
      .describe('Only these fields, such as country_code or bgp.as; all by default'),
    lang: language,
  }),
  output: z.object({
    results: z.array(
      z.object({
        target: z.string().describe('As it was sent'),
        record: chosenRecordSchema.exactOptional(),
        error: errorSchema.exactOptional(),
      }),
    ),
  }),
  isLocal: true,
  run: async ({ targets, fields, lang }, call) => ({
    results: await perItem(targets, async (target) => ({
      target,
      record: await call('lookupIp', { params: { target }, query: { lang, fields: fields?.join(',') } }),
    })),
  }),
});

const sources = defineTool({
  name: 'sources',
  title: 'Compare the databases',
  description: 'What each geolocation database says about an address or host name, not merged. Two credits.',
  input: z.object({ target: address.describe('IPv4, IPv6 or host name'), lang: language }),
  output: sourcesSchema.loose(),
  isLocal: true,
  run: ({ target, lang }, call) => call('lookupIpSources', { params: { target }, query: { lang } }),
});

const routeAndAs = defineTool({
  name: 'route_and_as',
  title: 'Route and AS',
  description: `The origin and upstreams of an announced prefix, or the profile and neighbours of an AS. Lists are cut after ${MOST_PREFIXES} prefixes and ${MOST_NEIGHBOURS} neighbours. Free.`,
  input: z.object({
    target: z.string().min(1).max(50).describe('Prefix such as 1.1.1.0/24, or AS number such as AS13335'),
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
    const [, asn] = /^as(\d{1,10})$/i.exec(target.trim()) ?? [];
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

const whois = defineTool({
  name: 'whois',
  title: 'Registration',
  description: `Registration of a domain, address, prefix or AS number by RDAP or whois. \`raw\` is cut after ${MOST_RAW} characters. One credit.`,
  input: z.object({ target: address.describe('example.com, 1.1.1.1, 1.1.1.0/24 or AS13335') }),
  output: whoisRecordSchema.loose(),
  isLocal: true,
  run: async ({ target }, call) => {
    const record = whoisRecordSchema.parse(await call('lookupWhois', { params: { target } }));
    return { ...record, raw: record.raw.slice(0, MOST_RAW) };
  },
});

const dns = defineTool({
  name: 'dns',
  title: 'DNS records',
  description: 'DNS records of a name: all common types, or one. One credit.',
  input: z.object({
    name: address.describe('Domain name; for PTR an address'),
    type: z
      .enum(['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT', 'SOA', 'SRV', 'PTR'])
      .exactOptional()
      .describe('All common types by default'),
  }),
  output: z.object({ records: z.array(dnsRecordSchema.loose()) }).loose(),
  isLocal: true,
  run: ({ name, type }, call) =>
    type === undefined
      ? call('listDnsRecords', { params: { domain: name } })
      : call('queryDns', { params: { domain: name, type } }),
});

const globalDns = defineTool({
  name: 'global_dns',
  title: 'DNS from other regions',
  description: `What clients in up to ${MOST_PLACES} regions get for a name, by DNS over HTTPS with a client subnet. Without regions it lists them. Free.`,
  input: z.object({
    name: address.exactOptional().describe('Domain name; without it the regions are listed'),
    type: z.string().max(10).default('A').describe('Record type such as A or AAAA'),
    regions: z.array(z.int().min(0)).min(1).max(MOST_PLACES).exactOptional().describe('Codes of regions'),
    lang: language,
  }),
  output: z.object({
    regions: z.array(z.object({ code: z.int(), label: z.string() }).loose()).exactOptional(),
    answers: z
      .array(
        z.object({
          region: z.int(),
          answer: globalAnswerSchema.loose().exactOptional(),
          error: errorSchema.exactOptional(),
        }),
      )
      .exactOptional(),
  }),
  isLocal: true,
  run: async ({ name, type, regions, lang }, call) => {
    if (name === undefined || regions === undefined)
      return { regions: await call('listDnsRegions', { query: { lang } }) };
    return {
      answers: await perItem(regions, async (region) => ({
        region,
        answer: await call('queryGlobalDns', { query: { domain: name, type, region: String(region), lang } }),
      })),
    };
  },
});

const tcping = defineTool({
  name: 'tcping',
  title: 'Time to connect',
  description:
    'Time to connect to a TCP port, from the server or from a probe node. Needs a key. One credit per attempt, 4 from a node.',
  input: z.object({
    target: address.describe('host, host:port or [ipv6]:port'),
    count: z.int().min(1).max(10).default(4).describe('Attempts; 4 from a node'),
    country: z.string().length(2).exactOptional().describe('ISO 3166-1 alpha-2: from a node in that country'),
    node: z.string().max(64).exactOptional().describe('Code of a node'),
  }),
  output: probeResultSchema.loose(),
  isLocal: false,
  run: ({ target, count, country, node }, call) =>
    call('probeTcp', { params: { target }, query: { count: String(count), country, node } }),
});

/** All tools, in the order in which they are listed. */
export const TOOLS: readonly Tool[] = [lookup, sources, routeAndAs, whois, dns, globalDns, tcping];

/** Runs all items side by side. The items of one call are few, and each is admitted by itself. */
function perItem<Item extends string | number>(
  items: readonly Item[],
  run: (item: Item) => Promise<Record<string, unknown>>,
): Promise<Record<string, unknown>[]> {
  const key = (item: Item) => (typeof item === 'number' ? { region: item } : { target: item });
  return Promise.all(
    items.map((item) => run(item).catch((error: unknown) => ({ ...key(item), ...itemError(error) }))),
  );
}
