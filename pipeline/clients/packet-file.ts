import { parseAddress } from '../net/address.js';

/** No next header (RFC 8200 §4.7), and a protocol number for experiments (RFC 3692). */
const [NO_NEXT_HEADER, EXPERIMENT] = [59, 253];
/** Packets begin with an IP header (LINKTYPE_RAW of libpcap). */
const RAW = 101;

/** Returns a capture file of libpcap with one empty packet from each address to the loopback address. */
export function packetFile(addresses: readonly string[]): Buffer {
  const header = Buffer.alloc(24);
  header.writeUInt32LE(0xa1b2c3d4, 0);
  header.writeUInt16LE(2, 4);
  header.writeUInt16LE(4, 6);
  header.writeUInt32LE(0xffff, 16);
  header.writeUInt32LE(RAW, 20);
  return Buffer.concat([header, ...addresses.flatMap(packet)]);
}

function packet(text: string): [record: Buffer, packet: Buffer] {
  const { address, family } = parseAddress(text)!;
  const bytes = Buffer.from(Uint32Array.from(address).buffer).swap32();
  const ip = family === 4 ? ipv4Packet(bytes.subarray(12)) : ipv6Packet(bytes);
  const record = Buffer.alloc(16);
  record.writeUInt32LE(ip.length, 8);
  record.writeUInt32LE(ip.length, 12);
  return [record, ip];
}

function ipv4Packet(source: Buffer): Buffer {
  const head = Buffer.from([0x45, 0, 0, 20, 0, 0, 0, 0, 64, EXPERIMENT, 0, 0]);
  return Buffer.concat([head, source, Buffer.from([127, 0, 0, 1])]);
}

function ipv6Packet(source: Buffer): Buffer {
  const loopback = Buffer.alloc(16);
  loopback[15] = 1;
  return Buffer.concat([Buffer.from([0x60, 0, 0, 0, 0, 0, NO_NEXT_HEADER, 64]), source, loopback]);
}
