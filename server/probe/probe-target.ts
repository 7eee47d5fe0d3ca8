import { isIP } from 'node:net';
import { parseTarget, type Target } from '../targets/target.js';

/** The target of a probe. */
export interface ProbeTarget {
  /** As the caller wrote it, without port and brackets. */
  readonly host: string;
  readonly target: Target;
  /** Absent when the target has no port. */
  readonly port: number | undefined;
}

/**
 * Parses `host`, `host:port`, `[v6]` or `[v6]:port`. An IPv6 address without brackets is a host (decision 32). Absent
 * when the host or the port is invalid.
 */
export function parseProbeTarget(text: string): ProbeTarget | undefined {
  const { host, portText } = split(text);
  const target = host === undefined ? undefined : parseTarget(host);
  if (host === undefined || target === undefined) return undefined;
  if (portText === undefined) return { host, target, port: undefined };
  const port = parsePort(portText);
  return port === undefined ? undefined : { host, target, port };
}

/** Parses a TCP port, 1-65535. Absent for any other text. */
export function parsePort(text: string): number | undefined {
  if (!/^\d{1,5}$/.test(text)) return undefined;
  const port = Number(text);
  return port >= 1 && port <= 65535 ? port : undefined;
}

interface Parts {
  /** Absent when the brackets do not contain an IPv6 address. */
  readonly host?: string;
  /** Absent when there is no colon. */
  readonly portText?: string;
}

const BRACKETED = /^\[([^[\]]*)\](?::([^:]*))?$/;

function split(text: string): Parts {
  if (isIP(text) === 6) return { host: text };
  if (text.startsWith('[')) {
    const [, host = '', portText] = BRACKETED.exec(text) ?? [];
    if (isIP(host) !== 6) return {};
    return portText === undefined ? { host } : { host, portText };
  }
  const colon = text.indexOf(':');
  // A second colon ends up in the port, which then fails to parse.
  return colon < 0 ? { host: text } : { host: text.slice(0, colon), portText: text.slice(colon + 1) };
}
