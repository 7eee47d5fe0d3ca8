import { z } from 'zod';
import { bare } from '../http/answer.js';
import { defineRoute, type Route } from '../http/route.js';
import type { Parts } from '../parts.js';

/** GET /api/rdns?ips= -> 200 {resolved, pending}; only public addresses are listed (decision 29) */
export const rdns = ({ reverseDns }: Pick<Parts, 'reverseDns'>): Route =>
  defineRoute({
    method: 'get',
    paths: ['/api/rdns'],
    operationId: 'reverseDns',
    tag: 'BGP and ASN',
    summary: 'Host names of up to 40 addresses. Slow lookups are listed as pending; ask for them again.',
    terms: { kind: 'keyless', bucket: 'bgp' },
    params: z.object({}),
    query: z.object({
      ips: z
        .string()
        .default('')
        .describe('Comma-separated IP addresses')
        .meta({ example: '8.8.8.8,1.1.1.1' }),
    }),
    shape: {
      kind: 'bare',
      body: z
        .object({
          resolved: z
            .record(z.string(), z.string())
            .describe('Host name by address, as the caller wrote it; empty for an address without a name'),
          pending: z.array(z.string()).describe('Addresses to ask for again later'),
        })
        .meta({ id: 'ReverseNames' }),
    },
    cors: false,
    answer: ({ query }) => {
      const texts = query.ips.split(',').map((text) => text.trim());
      return async () => bare(await reverseDns.namesOf(texts));
    },
  });
