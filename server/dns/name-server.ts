import assert from 'node:assert';
import { getServers } from 'node:dns';
import { isIP } from 'node:net';

/** A recursive server to ask. */
export interface NameServer {
  readonly address: string;
  readonly port: number;
  readonly family: 4 | 6;
  /** `192.0.2.53`, `192.0.2.53:5353`, `[2001:db8::53]:5353`: the port where it is another than 53. */
  readonly text: string;
}

/** Reads `address`, `address:port` or `[address]:port`. Asserts that it is one of them. */
export function parseNameServer(text: string): NameServer {
  const [, bracketed, plain, portText] = isIP(text) ? ['', undefined, text] : (WITH_PORT.exec(text) ?? []);
  const address = bracketed ?? plain ?? '';
  const port = Number(portText ?? 53);
  const family = isIP(address);
  assert((family === 4 || family === 6) && port > 0 && port <= 0xffff, `${text} is no name server`);
  const host = family === 6 ? `[${address}]` : address;
  return { address, port, family, text: port === 53 ? address : `${host}:${port}` };
}

/** The `nameserver` lines of the system's resolv.conf, through c-ares, which resolves nothing for that. */
export function systemNameServers(): NameServer[] {
  return getServers().map(parseNameServer);
}

const WITH_PORT = /^(?:\[(.+)\]|([^:[\]]+))(?::(\d{1,5}))?$/;
