import { z } from 'zod';
import { parsePort } from './probe-target.js';

/** Attempts of a probe from a node; it is not asked for another number (ruling 34). */
export const NODE_ATTEMPTS = 4;

const DEFAULT_PORT = 80;
const COUNT = { least: 1, most: 10, usual: 4 } as const;
const TIMEOUT_MS = { least: 100, most: 5000, usual: 3000 } as const;

/** Parameters of a probe, as ruling 32 reads them: ports are refused, count and timeout are made to fit. */
export const probeQuerySchema = z.object({
  port: z.string().optional().describe('1-65535; used when the target carries no port; default 80'),
  count: integerWithin(COUNT).describe('1-10, default 4; other numbers are clamped'),
  timeout: integerWithin(TIMEOUT_MS).describe('Of each attempt, ms: 100-5000, default 3000; clamped'),
  country: z.string().optional().describe('ISO 3166-1 alpha-2; probe from a node in that country'),
  node: z.string().optional().describe('Code of a node; takes precedence over `country`'),
});

export type ProbeQuery = z.output<typeof probeQuerySchema>;

/** 4 credits where a node was asked for, else one for each attempt. */
export function creditsOf({ count, country, node }: ProbeQuery): number {
  return country === undefined && node === undefined ? count : NODE_ATTEMPTS;
}

/** The port to probe: the target's own wins, whatever the parameter is. Absent when the one that counts is none. */
export function portOf(ofTarget: number | undefined, { port }: ProbeQuery): number | undefined {
  return ofTarget ?? (port === undefined ? DEFAULT_PORT : parsePort(port));
}

/** An ISO 3166-1 alpha-2 code in any case, in upper case; absent for every other text. */
export function parseCountryCode(text: string): string | undefined {
  return /^[a-z]{2}$/i.test(text) ? text.toUpperCase() : undefined;
}

interface Range {
  readonly least: number;
  readonly most: number;
  /** What text that is no integer means. */
  readonly usual: number;
}

function integerWithin({ least, most, usual }: Range) {
  return z
    .string()
    .optional()
    .transform((text) =>
      text !== undefined && /^[+-]?\d+$/.test(text) ? Math.min(Math.max(Number(text), least), most) : usual,
    );
}
