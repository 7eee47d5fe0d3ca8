import { z } from 'zod';
import { parsePort } from './probe-target.js';

/** Attempts of a probe from a node. Nodes always make this many (decision 34). */
export const NODE_ATTEMPTS = 4;

const DEFAULT_PORT = 80;
const COUNT = { min: 1, max: 10, fallback: 4 } as const;
const TIMEOUT_MS = { min: 100, max: 5000, fallback: 3000 } as const;

/** Parameters of a probe (decision 32). An invalid port is rejected; count and timeout are clamped. */
export const probeQuerySchema = z.object({
  port: z.string().optional().describe('1-65535, default 80; ignored when the target has a port'),
  count: integerWithin(COUNT).describe('1-10, default 4; other numbers are clamped'),
  timeout: integerWithin(TIMEOUT_MS).describe('Per attempt, ms: 100-5000, default 3000; clamped'),
  country: z.string().optional().describe('ISO 3166-1 alpha-2; probe from a node in that country'),
  node: z.string().optional().describe('Code of a node; takes precedence over `country`'),
});

/** The parsed parameters of a probe. */
export type ProbeQuery = z.output<typeof probeQuerySchema>;

/** Returns the credits of a probe: 4 from a node, otherwise one per attempt. */
export function creditsOf({ count, country, node }: ProbeQuery): number {
  return country === undefined && node === undefined ? count : NODE_ATTEMPTS;
}

/** Returns the port to probe. The target's own port overrides the parameter. Absent when the parameter is invalid. */
export function portOf(ofTarget: number | undefined, { port }: ProbeQuery): number | undefined {
  return ofTarget ?? (port === undefined ? DEFAULT_PORT : parsePort(port));
}

/** Parses an ISO 3166-1 alpha-2 code in any case and returns it in upper case. */
export function parseCountryCode(text: string): string | undefined {
  return /^[a-z]{2}$/i.test(text) ? text.toUpperCase() : undefined;
}

interface Range {
  readonly min: number;
  readonly max: number;
  /** The default, also for text that is not an integer. */
  readonly fallback: number;
}

function integerWithin({ min, max, fallback }: Range) {
  return z
    .string()
    .optional()
    .transform((text) =>
      text !== undefined && /^[+-]?\d+$/.test(text) ? Math.min(Math.max(Number(text), min), max) : fallback,
    );
}
