import { z } from 'zod';
import { globalAnswerSchema } from '../global-dns/global-answer-schema.js';
import { address, language } from './parameters.js';
import { perItem } from './per-item.js';
import { defineTool, errorSchema } from './tool.js';

const MOST_PLACES = 10;

/** `global_dns`: what clients in other regions get. */
export const globalDns = defineTool({
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
      answers: await perItem('region', regions, async (region) => ({
        region,
        answer: await call('queryGlobalDns', { query: { domain: name, type, region: String(region), lang } }),
      })),
    };
  },
});
