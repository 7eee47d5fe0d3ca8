import assert from 'node:assert';
import { getServers } from 'node:dns';
import { isIP } from 'node:net';

/** A recursive name server. */
export interface NameServer {
  readonly address: string;
  readonly port: number;
  readonly family: 4 | 6;
  /** `192.0.2.53`, `192.0.2.53:5353` or `[2001:db8::53]:5353`. Port 53 is omitted. */
  readonly text: string;
}

/** Parses `address`, `address:port` or `[address]:port`. Asserts that the text has one of these forms. */
export function parseNameServer(text: string): NameServer {
  const [, bracketed, plain, portText] = isIP(text) ? ['', undefined, text] : (WITH_PORT.exec(text) ?? []);
  const address = bracketed ?? plain ?? '';
  const port = Number(portText ?? 53);
  const family = isIP(address);
  assert((family === 4 || family === 6) && port > 0 && port <= 0xffff, `invalid name server "${text}"`);
  const host = family === 6 ? `[${address}]` : address;
  return { address, port, family, text: port === 53 ? address : `${host}:${port}` };
}

/** Returns the `nameserver` entries of the system's resolv.conf, read through c-ares. */
export function systemNameServers(): NameServer[] {
  return getServers().map(parseNameServer);
}

const WITH_PORT = /^(?:\[(.+)\]|([^:[\]]+))(?::(\d{1,5}))?$/;
