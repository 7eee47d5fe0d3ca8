import { z } from 'zod';
import type { OnlineNode } from '../nodes/probe-node.js';
import type { AskedProbe } from './asked-probe.js';
import type { RoundTrips } from './prober.js';
import { summaryOf } from './summary.js';

const roundTrip = z.number().nullable();

/** The API's TCP probe result. */
export const probeResultSchema = z
  .object({
    target: z.string().describe('As the caller wrote it'),
    host: z.string().describe('The target without port and brackets'),
    ip: z.string().describe('The probed address'),
    port: z.int().describe('The probed port'),
    sent: z.int().describe('Number of attempts'),
    recv: z.int().describe('Attempts that connected'),
    loss: z.number().describe('Percentage of attempts that did not connect'),
    min: roundTrip.describe('Shortest time to connect, ms; null without a connection'),
    max: roundTrip.describe('Longest time to connect, ms'),
    avg: roundTrip.describe('Mean time to connect, ms'),
    rtts: z
      .array(roundTrip)
      .describe(
        'Time to connect of each attempt, ms; null for an attempt that was refused, reset or timed out',
      ),
    timeout_ms: z.int().exactOptional().describe('Per attempt; only for probes from the origin'),
    source: z
      .discriminatedUnion('type', [
        z.strictObject({
          type: z.literal('origin').describe('`origin` for the server itself, `node` for a probe node'),
        }),
        z.strictObject({
          type: z.literal('node'),
          code: z.string().describe('Code of the node'),
          name: z.string().describe('Name of the node'),
          country_code: z.string().describe('ISO 3166-1 alpha-2'),
          city: z.string().describe('City of the node'),
        }),
      ])
      .describe('Where the probe ran; the fields besides `type` are those of a node'),
  })
  .meta({ id: 'ProbeResult' });

/** The API's TCP probe result. */
export type ProbeResult = z.infer<typeof probeResultSchema>;

/** The measurements of a finished probe. */
export interface Probed {
  readonly ip: string;
  readonly rtts: RoundTrips;
  /** Absent for a probe from this server. */
  readonly node?: OnlineNode;
}

/** Builds the API's result. The node's name is in the default language because the endpoint has no `lang`. */
export function resultOf(asked: AskedProbe, { ip, rtts, node }: Probed): ProbeResult {
  const { text, host, port, timeoutMs } = asked;
  const { rtts: times, ...counts } = summaryOf(rtts);
  const shown = { target: text, host, ip, port, ...counts, rtts: [...times] };
  if (node === undefined) return { ...shown, timeout_ms: timeoutMs, source: { type: 'origin' } };
  const { code, name, country_code, city } = node;
  return { ...shown, source: { type: 'node', code, name, country_code, city } };
}
