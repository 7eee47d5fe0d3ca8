import { newAddress, type Address, type Family } from '../net/address.js';
import { readAddress } from './wire-address.js';

/** The other end of a BGP session of a collector. */
export interface Peer {
  readonly address: Address;
  readonly family: Family;
  readonly asn: number;
}

/**
 * Reads a PEER_INDEX_TABLE, TABLE_DUMP_V2 subtype 1 (RFC 6396 §4.3.1):
 *
 *     collector id u32 | view name: length u16, bytes | count u16 | peers
 *     peer: flags u8 (1: IPv6 address, 2: AS of 4 bytes) | BGP id u32 | address 4 or 16 bytes | AS u16 or u32
 *
 * Returns the peers in order; RIB entries refer to them by position. Returns undefined if the message is shorter or
 * longer than its content.
 */
export function readPeerIndexTable(bytes: DataView, start: number, end: number): Peer[] | undefined {
  if (end - start < 8) return undefined;
  const countAt = start + 6 + bytes.getUint16(start + 4);
  if (countAt + 2 > end) return undefined;
  const count = bytes.getUint16(countAt);
  const peers: Peer[] = [];
  let at = countAt + 2;
  for (let i = 0; i < count; i++) {
    if (at + 5 > end) return undefined;
    const flags = bytes.getUint8(at);
    const family = flags & IPV6_ADDRESS ? 6 : 4;
    const asnAt = at + 5 + (family === 6 ? 16 : 4);
    const next = asnAt + (flags & WIDE_AS ? 4 : 2);
    if (next > end) return undefined;
    const address = newAddress();
    readAddress(bytes, at + 5, family, address);
    peers.push({ address, family, asn: flags & WIDE_AS ? bytes.getUint32(asnAt) : bytes.getUint16(asnAt) });
    at = next;
  }
  return at === end ? peers : undefined;
}

const IPV6_ADDRESS = 1;
const WIDE_AS = 2;
