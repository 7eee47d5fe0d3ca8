import { z } from 'zod';
import type { OnlineNode } from '../nodes/probe-node.js';
import type { AskedProbe } from './asked-probe.js';
import type { RoundTrips } from './prober.js';
import { summaryOf } from './summary.js';

const roundTrip = z.number().nullable();

/** `api.md`, "TCP probe result". */
export const probeResultSchema = z.object({
  target: z.string().describe('As it was asked for'),
  host: z.string().describe('The target without port and brackets'),
  ip: z.string().describe('The address that was probed'),
  port: z.int(),
  sent: z.int(),
  recv: z.int().describe('Attempts that came to a connection'),
  loss: z.number().describe('Percent of the attempts that did not'),
  min: roundTrip,
  max: roundTrip,
  avg: roundTrip,
  rtts: z.array(roundTrip).describe('ms; null for an attempt that was refused, reset or not answered'),
  timeout_ms: z.int().exactOptional().describe('Of each attempt; probes of the origin only'),
  source: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('origin') }),
    z.strictObject({
      ...{ type: z.literal('node'), code: z.string(), name: z.string() },
      ...{ country_code: z.string(), city: z.string() },
    }),
  ]),
});

export type ProbeResult = z.infer<typeof probeResultSchema>;

/** What a probe came to. */
export interface Probed {
  readonly ip: string;
  readonly rtts: RoundTrips;
  /** Absent when the probe was made from here. */
  readonly node?: OnlineNode;
}

/** A probe's answer; the node's name is in the default language, for there is no `lang` here. */
export function resultOf(asked: AskedProbe, { ip, rtts, node }: Probed): ProbeResult {
  const { text, host, port, timeoutMs } = asked;
  const { rtts: times, ...counts } = summaryOf(rtts);
  const shown = { target: text, host, ip, port, ...counts, rtts: [...times] };
  if (node === undefined) return { ...shown, timeout_ms: timeoutMs, source: { type: 'origin' } };
  const { code, name, country_code, city } = node;
  return { ...shown, source: { type: 'node', code, name, country_code, city } };
}
