import assert from 'node:assert';
import { isIP } from 'node:net';
import { formatAddress, newAddress, parseAddressInto } from '../../pipeline/net/address.js';
import { parseHostName } from './host-name.js';

/** An address to look up and print: IPv4 if it was mapped, IPv6 in RFC 5952 form (decision 17). */
export interface TargetAddress {
  readonly kind: 'address';
  readonly ip: string;
  readonly version: 4 | 6;
}

/** A host name, normalised by `parseHostName`. */
export interface TargetHost {
  readonly kind: 'host';
  readonly name: string;
}

/** An address or a host name to look up. */
export type Target = TargetAddress | TargetHost;

/** Parses a target. Returns undefined when it is neither an address nor a host name. */
export function parseTarget(text: string): Target | undefined {
  const address = parseTargetAddress(text);
  if (address) return address;
  const name = parseHostName(text);
  return name === undefined ? undefined : { kind: 'host', name };
}

/** Parses an address. Returns undefined for text that `net.isIP` refuses (decision 16). */
export function parseTargetAddress(text: string): TargetAddress | undefined {
  switch (isIP(text)) {
    case 4:
      return { kind: 'address', ip: text, version: 4 };
    case 6:
      // A zone is only meaningful on the caller's own machine.
      return text.includes('%') ? undefined : normalise(text);
    default:
      return undefined;
  }
}

/** Parses the caller's address from the request pipeline, which is always valid. */
export function clientAddress(client: string): TargetAddress {
  const address = parseTargetAddress(client);
  assert(address, client);
  return address;
}

function normalise(text: string): TargetAddress {
  const address = newAddress();
  assert(parseAddressInto(text, address) === 6, text);
  const isMapped = address[0] === 0 && address[1] === 0 && address[2] === 0xffff;
  const version = isMapped ? 4 : 6;
  return { kind: 'address', ip: formatAddress(address, version), version };
}
