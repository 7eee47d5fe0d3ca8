import { z } from 'zod';
import type { ServerConfig } from '../config.js';

/** What the primary tells a worker. */
export type ToWorker =
  | { readonly kind: 'serve'; readonly config: ServerConfig }
  | { readonly kind: 'look' }
  | { readonly kind: 'stop' };

/** What a worker tells the primary; other messages on the same channel are those of prom-client and node:cluster. */
const fromWorkerSchema = z.discriminatedUnion('kind', [
  /** It listens to the primary from now on: what was sent before may be lost. */
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

export type FromWorker = z.infer<typeof fromWorkerSchema>;

/** A worker's message; absent for one that is not for us. */
export function readFromWorker(message: unknown): FromWorker | undefined {
  return fromWorkerSchema.safeParse(message).data;
}
