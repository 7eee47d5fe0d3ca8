import { z } from 'zod';
import { dnsRecordSchema } from '../dns/record-schema.js';
import { probeResultSchema } from '../probe/probe-result.js';
import { whoisRecordSchema } from '../whois/whois-record-schema.js';
import { address } from './parameters.js';
import { defineTool } from './tool.js';

/** Longer texts are cut: they fill the context of a model and help it little. */
const MOST_RAW = 4000;

/** `whois`: a registration. */
export const whois = defineTool({
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

/** `dns`: the records of a name. */
export const dns = defineTool({
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

/** `tcping`: the time to connect. */
export const tcping = defineTool({
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
