import { Failure } from '../failure.js';
import { INVALID_TARGET } from '../lookup/resolve-target.js';
import type { Target } from '../targets/target.js';
import { parseCountryCode, portOf, type ProbeQuery } from './probe-query.js';
import { parseProbeTarget } from './probe-target.js';

/** Which nodes may probe: one node by code, or any node in a country (ISO 3166-1 alpha-2, upper case). */
export type NodeChoice =
  { readonly kind: 'node'; readonly code: string } | { readonly kind: 'country'; readonly code: string };

/** A probe request. */
export interface AskedProbe {
  /** The target as the caller wrote it. */
  readonly text: string;
  /** The target without port and brackets. */
  readonly host: string;
  readonly target: Target;
  readonly port: number;
  readonly count: number;
  readonly timeoutMs: number;
  /** Absent for a probe from this server. */
  readonly from: NodeChoice | undefined;
}

/**
 * Parses a probe request. Throws Failure: 400 for an invalid target, port or country, 403 for a refused port (decision
 * 66).
 */
export function requireProbe(text: string, query: ProbeQuery, refusedPorts: ReadonlySet<number>): AskedProbe {
  const parsed = parseProbeTarget(text);
  if (parsed === undefined) throw new Failure(400, `${INVALID_TARGET}, or a port outside 1-65535`);
  const port = portOf(parsed.port, query);
  if (port === undefined) throw new Failure(400, 'invalid port: expected 1-65535');
  const { host, target } = parsed;
  const from = choiceOf(query);
  if (refusedPorts.has(port)) throw new Failure(403, `port ${port} cannot be probed on this server`);
  return { text, host, target, port, count: query.count, timeoutMs: query.timeout, from };
}

function choiceOf({ node, country }: ProbeQuery): NodeChoice | undefined {
  if (node !== undefined) return { kind: 'node', code: node };
  if (country === undefined) return undefined;
  const code = parseCountryCode(country);
  if (code === undefined) throw new Failure(400, 'invalid country: expected an ISO 3166-1 alpha-2 code');
  return { kind: 'country', code };
}
