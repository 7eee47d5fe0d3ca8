import assert from 'node:assert';
import { isIP } from 'node:net';
import { formatAddress, newAddress, parseAddressInto } from '../../pipeline/net/address.js';
import { parseHostName } from './host-name.js';

/** An address as it is looked up and printed: IPv4 where it was mapped, IPv6 as RFC 5952 (ruling 17). */
export interface TargetAddress {
  readonly kind: 'address';
  readonly ip: string;
  readonly version: 4 | 6;
}

/** A name to be resolved first: what `parseHostName` makes of it. */
export interface TargetHost {
  readonly kind: 'host';
  readonly name: string;
}

export type Target = TargetAddress | TargetHost;

/** What a caller means with a target; absent when it is neither an address nor a host name. */
export function parseTarget(text: string): Target | undefined {
  const address = parseTargetAddress(text);
  if (address) return address;
  const name = parseHostName(text);
  return name === undefined ? undefined : { kind: 'host', name };
}

/** The address that a text is; absent for every other text. Only `net.isIP` decides (ruling 16). */
export function parseTargetAddress(text: string): TargetAddress | undefined {
  switch (isIP(text)) {
    case 4:
      return { kind: 'address', ip: text, version: 4 };
    case 6:
      // A zone is about the caller's own links.
      return text.includes('%') ? undefined : normalise(text);
    default:
      return undefined;
  }
}

/** The address of a caller, as the frame hands it on: it was an address before. */
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
