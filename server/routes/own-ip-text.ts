import { z } from 'zod';
import { text } from '../http/answer.js';
import { defineRoute, type Route } from '../http/route.js';

/** GET /ip -> the caller's address and a newline, as text/plain */
export const ownIpText: Route = defineRoute({
  method: 'get',
  paths: ['/ip'],
  operationId: 'ownIpText',
  tag: 'Own IP',
  summary: "The caller's address as plain text.",
  terms: { kind: 'keyless', bucket: 'own-ip' },
  params: z.object({}),
  query: z.object({}),
  shape: { kind: 'text', text: z.string() },
  answer: ({ client }) => text(`${client}\n`),
});
