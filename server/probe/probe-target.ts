import { isIP } from 'node:net';
import { parseTarget, type Target } from '../targets/target.js';

/** What a caller wants probed. */
export interface ProbeTarget {
  /** As it was written, without port and brackets. */
  readonly host: string;
  readonly target: Target;
  /** Absent where none was written. */
  readonly port: number | undefined;
}

/**
 * Reads `host`, `host:port`, `[v6]` or `[v6]:port`; an IPv6 address without brackets is a host (ruling 32). Absent when
 * the host is no target, or what stands behind it is no port.
 */
export function parseProbeTarget(text: string): ProbeTarget | undefined {
  const { host, portText } = split(text);
  const target = host === undefined ? undefined : parseTarget(host);
  if (host === undefined || target === undefined) return undefined;
  if (portText === undefined) return { host, target, port: undefined };
  const port = parsePort(portText);
  return port === undefined ? undefined : { host, target, port };
}

/** A TCP port, 1-65535; absent for every other text. */
export function parsePort(text: string): number | undefined {
  if (!/^\d{1,5}$/.test(text)) return undefined;
  const port = Number(text);
  return port >= 1 && port <= 65535 ? port : undefined;
}

interface Parts {
  /** Absent when the text has no such form. */
  readonly host?: string;
  /** Absent when there is no colon for it. */
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
  // A second colon would be part of the port, and is no digit.
  return colon < 0 ? { host: text } : { host: text.slice(0, colon), portText: text.slice(colon + 1) };
}
