import { z } from 'zod';
import { ipRecordSchema, sourcesSchema } from '../lookup/ip-record-schema.js';
import { address, language } from './parameters.js';
import { perItem } from './per-item.js';
import { defineTool, errorSchema } from './tool.js';

const MOST_TARGETS = 25;

/** The record, or the chosen fields of it. */
const chosenRecordSchema = ipRecordSchema
  .extend({ bgp: ipRecordSchema.shape.bgp.partial().loose() })
  .partial()
  .loose();

/** `lookup`: the records of addresses and hosts. */
export const lookup = defineTool({
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
    results: await perItem('target', targets, async (target) => ({
      target,
      record: await call('lookupIp', { params: { target }, query: { lang, fields: fields?.join(',') } }),
    })),
  }),
});

/** `sources`: the verdicts of all databases. */
export const sources = defineTool({
  name: 'sources',
  title: 'Compare the databases',
  description: 'What each geolocation database says about an address or host name, not merged. Two credits.',
  input: z.object({ target: address.describe('IPv4, IPv6 or host name'), lang: language }),
  output: sourcesSchema.loose(),
  isLocal: true,
  run: ({ target, lang }, call) => call('lookupIpSources', { params: { target }, query: { lang } }),
});
