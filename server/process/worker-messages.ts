import { z } from 'zod';
import type { ServerConfig } from '../config.js';

/** A message from the primary to a worker. */
export type ToWorker =
  | { readonly kind: 'serve'; readonly config: ServerConfig }
  | { readonly kind: 'look' }
  | { readonly kind: 'stop' };

/** A message from a worker to the primary. prom-client and node:cluster use the same channel. */
const fromWorkerSchema = z.discriminatedUnion('kind', [
  /** The worker receives messages from now on. Earlier ones may be lost. */
  z.object({ kind: z.literal('up') }),
  z.object({ kind: z.literal('ready'), url: z.string(), serves: z.string() }),
  z.object({
    kind: z.literal('failed'),
    message: z.string(),
    code: z.string().exactOptional(),
    port: z.number().exactOptional(),
    address: z.string().exactOptional(),
  }),
]);

/** A message from a worker to the primary. */
export type FromWorker = z.infer<typeof fromWorkerSchema>;

/** Parses a worker's message. Returns undefined for messages of prom-client and node:cluster. */
export function readFromWorker(message: unknown): FromWorker | undefined {
  return fromWorkerSchema.safeParse(message).data;
}
