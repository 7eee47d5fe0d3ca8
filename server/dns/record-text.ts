import { formatAddress, newAddress } from '../../pipeline/net/address.js';
import type { DnsRecord } from './dns-client.js';
import { escapedByte, malformed, type WireReader } from './wire-reader.js';

/** A record's data: its text, and the fields some types have in addition. */
export type RecordText = Omit<DnsRecord, 'type' | 'name' | 'ttl'>;

/**
 * Formats a record's data (decision 28). `rdata` holds exactly the data. Unknown types get the generic form of RFC
 * 3597, `\# 4 0a000001`. Throws UpstreamError('malformed') when bytes are missing or left over.
 */
export function readRecordText(type: string, rdata: WireReader): RecordText {
  const text = READERS[type]?.(rdata) ?? { value: genericText(rdata) };
  if (rdata.left > 0) throw malformed(`${rdata.left} extra bytes in a ${type} record`);
  return text;
}

const readName = (rdata: WireReader): RecordText => ({ value: rdata.name() });

const READERS: Readonly<Record<string, (rdata: WireReader) => RecordText>> = {
  A: (rdata) => ({ value: rdata.take(4).join('.') }),
  AAAA: (rdata) => ({ value: ipv6Text(rdata) }),
  CNAME: readName,
  DNAME: readName,
  NS: readName,
  PTR: readName,
  MX: (rdata) => ({ priority: rdata.u16(), value: rdata.name() }),
  TXT: readStrings,
  SPF: readStrings,
  SRV: (rdata) => {
    const [priority, weight, port] = [rdata.u16(), rdata.u16(), rdata.u16()];
    return { priority, value: `${weight} ${port} ${rdata.name()}` };
  },
  SOA: (rdata) => ({
    value: `${rdata.name()} ${rdata.name()}`,
    serial: rdata.u32(),
    refresh: rdata.u32(),
    retry: rdata.u32(),
    expire: rdata.u32(),
    minimum_ttl: rdata.u32(),
  }),
  CAA: readAuthorization,
};

function ipv6Text(rdata: WireReader): string {
  const address = newAddress();
  for (let word = 0; word < 4; word++) address[word] = rdata.u32();
  return formatAddress(address, 6);
}

function readStrings(rdata: WireReader): RecordText {
  const chunks: Buffer[] = [];
  while (rdata.left > 0) chunks.push(rdata.characterString());
  return { value: plainText(Buffer.concat(chunks)) };
}

/** Formats CAA data: `0 issue "ca.example.net"` (RFC 8659 §4.1). */
function readAuthorization(rdata: WireReader): RecordText {
  const flags = rdata.u8();
  const tag = plainText(rdata.characterString());
  const value = plainText(rdata.take(rdata.left)).replace(/["\\]/g, '\\$&');
  return { value: `${flags} ${tag} "${value}"` };
}

/** Returns valid UTF-8 unchanged. Otherwise escapes all bytes but plain ASCII as `\255` (RFC 1035 §5.1). */
function plainText(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (Buffer.byteLength(text) === bytes.length && Buffer.from(text).equals(bytes)) return text;
  return bytes
    .toString('latin1')
    .replace(/[^\x20-\x5b\x5d-\x7e]/g, (byte) => escapedByte(byte.charCodeAt(0)));
}

/** Formats data of an unknown type (RFC 3597 §5). */
function genericText(rdata: WireReader): string {
  const bytes = rdata.take(rdata.left);
  return `\\# ${bytes.length} ${bytes.toString('hex')}`.trimEnd();
}
