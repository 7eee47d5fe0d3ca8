import { Failure } from '../failure.js';
import { INVALID_TARGET } from '../lookup/resolve-target.js';
import type { Target } from '../targets/target.js';
import { parseCountryCode, portOf, type ProbeQuery } from './probe-query.js';
import { parseProbeTarget } from './probe-target.js';

/** Which nodes may probe: the one of a code, or any one of a country (ISO 3166-1 alpha-2, upper case). */
export type NodeChoice =
  { readonly kind: 'node'; readonly code: string } | { readonly kind: 'country'; readonly code: string };

/** A probe as a caller asks for it. */
export interface AskedProbe {
  /** The target as it was written. */
  readonly text: string;
  /** The same without port and brackets. */
  readonly host: string;
  readonly target: Target;
  readonly port: number;
  readonly count: number;
  readonly timeoutMs: number;
  /** Absent for a probe from here. */
  readonly from: NodeChoice | undefined;
}

/** Reads what is asked for. Throws Failure(400) for what is no target, port or country. */
export function requireProbe(text: string, query: ProbeQuery): AskedProbe {
  const parsed = parseProbeTarget(text);
  if (parsed === undefined) throw new Failure(400, `${INVALID_TARGET}, or a port that is not 1-65535`);
  const port = portOf(parsed.port, query);
  if (port === undefined) throw new Failure(400, 'port: 1-65535');
  const { host, target } = parsed;
  return { text, host, target, port, count: query.count, timeoutMs: query.timeout, from: choiceOf(query) };
}

function choiceOf({ node, country }: ProbeQuery): NodeChoice | undefined {
  if (node !== undefined) return { kind: 'node', code: node };
  if (country === undefined) return undefined;
  const code = parseCountryCode(country);
  if (code === undefined) throw new Failure(400, 'country: two letters, ISO 3166-1 alpha-2');
  return { kind: 'country', code };
}
