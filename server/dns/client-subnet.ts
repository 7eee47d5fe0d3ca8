import assert from 'node:assert';
import { IPV4_DEPTH } from '../../pipeline/net/address.js';
import { parsePrefix } from '../../pipeline/net/prefix.js';

/** EDNS option code of the client subnet (RFC 7871 §6). */
export const CLIENT_SUBNET = 8;

/**
 * Encodes the option body for a subnet such as `192.0.2.0/24`. `0.0.0.0/0` asks to forward none (RFC 7871 §7.1.2).
 *
 *     family u16 (1 IPv4, 2 IPv6) | source prefix u8 | scope prefix u8 = 0 | address, truncated to the prefix
 *
 * Bits beyond the prefix are zero in any case. Asserts that the text is a subnet.
 */
export function encodeClientSubnet(cidr: string): Buffer {
  const prefix = parsePrefix(cidr);
  assert(prefix, cidr);
  const { address, family } = prefix;
  const length = family === 4 ? prefix.length - IPV4_DEPTH : prefix.length;
  const option = Buffer.alloc(4 + Math.ceil(length / 8));
  option.writeUInt16BE(family === 4 ? 1 : 2, 0);
  option.writeUInt8(length, 2);
  const bytes = Buffer.alloc(16);
  address.forEach((word, i) => bytes.writeUInt32BE(word, i * 4));
  bytes.copy(option, 4, family === 4 ? 12 : 0);
  return option;
}

/**
 * Returns the scope prefix of a response's option. Absent unless the option echoes family, source prefix and address of
 * the one sent (RFC 7871 §7.3).
 */
export function scopeOf(option: Buffer, sent: Buffer): number | undefined {
  if (option.length !== sent.length || option.length < 4) return undefined;
  const isEcho = option.readUInt16BE(0) === sent.readUInt16BE(0) && option[2] === sent[2];
  return isEcho && option.subarray(4).equals(sent.subarray(4)) ? option[3] : undefined;
}
