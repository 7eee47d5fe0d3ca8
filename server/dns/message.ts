import assert from 'node:assert';
import { encode, RECURSION_DESIRED, type OptAnswer, type RecordType } from 'dns-packet';
import { chainOf, negativeTtlOf, type Row } from './rows.js';
import { CLIENT_SUBNET, encodeClientSubnet, scopeOf } from './client-subnet.js';
import { UpstreamError } from '../upstream-error.js';
import type { DnsRecord } from './dns-client.js';
import { rcodeNameOf, typeNumberOf } from './record-types.js';
import { malformed, WireReader } from './wire-reader.js';

/** A question to a recursive server. */
export interface Query {
  /** 0 to 65535; 0 over HTTPS (RFC 8484 §4.1). */
  readonly id: number;
  /** ASCII, lower case, no trailing dot. */
  readonly name: string;
  /** The name as it is sent, in any case. If absent, `name` is sent and its case in the response does not matter. */
  readonly spelling?: string;
  /** Mnemonic such as `A` or `TYPE65280`. */
  readonly type: string;
  /** Whether to add EDNS (RFC 6891), which allows 1232 bytes over UDP. Required for a client subnet. */
  readonly edns: boolean;
  /** Such as `192.0.2.0/24`. `0.0.0.0/0` asks the resolver to forward none. If absent, the resolver chooses. */
  readonly clientSubnet?: string;
}

/** A complete response that matches its query. */
export interface Message {
  /** NOERROR, NXDOMAIN, BADVERS, `RCODE3841`, including the extended bits (RFC 6891 §6.1.3). */
  readonly rcode: string;
  /** Whether the question is echoed in the spelling that was sent, or omitted. */
  readonly isSpelled: boolean;
  /** The RA bit: the server offers recursion (RFC 1035 §4.1.1). */
  readonly offersRecursion: boolean;
  /** The TC bit: the response did not fit. The fields read from its rows are then empty. */
  readonly isTruncated: boolean;
  /** Records of the question's name, then of its CNAME chain, without duplicates. */
  readonly records: readonly DnsRecord[];
  /** The lesser of the SOA's TTL and minimum (RFC 2308 §5). Absent without a SOA for this name. */
  readonly negativeTtl: number | undefined;
  /** Scope prefix of the client subnet. Absent when the server did not echo the option. */
  readonly clientSubnetScope: number | undefined;
}

/** Encodes a query with recursion desired. Asserts that name and type are valid. */
export function encodeQuery(query: Query): Buffer {
  const { id, name, spelling = name, type, edns, clientSubnet } = query;
  const number = typeNumberOf(type);
  assert(number !== undefined && name.length <= 253 && NAME.test(name), `${name} ${type}`);
  assert(edns || clientSubnet === undefined);
  const subnet = clientSubnet === undefined ? undefined : encodeClientSubnet(clientSubnet);
  const options = subnet === undefined ? [] : [{ code: CLIENT_SUBNET, data: subnet }];
  // The package's types require fields that its encoder ignores.
  const opt = { type: 'OPT', name: '.', udpPayloadSize: UDP_PAYLOAD_BYTES, options } as unknown as OptAnswer;
  return encode({
    type: 'query',
    id,
    flags: RECURSION_DESIRED,
    // The package's name for a type number: it does not know all mnemonics.
    questions: [{ name: spelling, type: `UNKNOWN_${number}` as RecordType }],
    ...(edns ? { additionals: [opt] } : {}),
  });
}

/**
 * Returns whether a message answers the query: id, opcode and question match, the name case-insensitively. False for
 * anything unreadable up to there. The rest of the message may still be malformed.
 */
export function isResponseTo(bytes: Buffer, query: Query): boolean {
  if (bytes.length < HEADER_BYTES || bytes.readUInt16BE(0) !== query.id) return false;
  const flags = bytes.readUInt16BE(2);
  if ((flags & (QR | OPCODE)) !== QR) return false;
  const questions = bytes.readUInt16BE(4);
  // Servers that did not understand a query may omit the question.
  if (questions === 0) return REFUSALS_WITHOUT_QUESTION.has(flags & RCODE);
  return questions === 1 && isQuestion(bytes, query);
}

/** Returns whether a response echoes the question in the spelling of the query, or omits it. */
export function isSpelledAs(bytes: Buffer, { spelling }: Query): boolean {
  if (spelling === undefined || bytes.readUInt16BE(4) === 0) return true;
  let at = HEADER_BYTES;
  for (const label of spelling.split('.')) {
    if (bytes.toString('latin1', at + 1, at + 1 + label.length) !== label) return false;
    at += 1 + label.length;
  }
  return true;
}

/**
 * Decodes the response to a query. Ignores records of other classes than IN or other names. Throws
 * UpstreamError('malformed') when the message answers another query or is incomplete.
 */
export function decodeResponse(bytes: Buffer, query: Query): Message {
  if (!isResponseTo(bytes, query)) throw malformed('not an answer to this query');
  const reader = new WireReader(bytes, 2);
  const flags = reader.u16();
  const questions = reader.u16();
  const [answered, authorized, added] = [reader.u16(), reader.u16(), reader.u16()];
  const offersRecursion = (flags & RA) !== 0;
  const isSpelled = isSpelledAs(bytes, query);
  // A truncated message may end anywhere.
  if ((flags & TC) !== 0)
    return { ...EMPTY, rcode: rcodeNameOf(flags & RCODE), isSpelled, offersRecursion, isTruncated: true };
  if (questions === 1) readQuestion(reader);
  const answers = readRows(reader, answered);
  const authorities = readRows(reader, authorized);
  const opt = optOf(readRows(reader, added));
  const records = chainOf(query, answers);
  return {
    // RFC 6891 §6.1.3: the upper eight bits are in the TTL field.
    rcode: rcodeNameOf((((opt?.ttl ?? 0) >>> 24) << 4) | (flags & RCODE)),
    isSpelled,
    offersRecursion,
    isTruncated: false,
    records,
    negativeTtl: negativeTtlOf([query.name, ...cnameTargets(records)], authorities),
    clientSubnetScope: opt && query.clientSubnet ? echoedScope(opt, query.clientSubnet) : undefined,
  };
}

/** Header size and flags (RFC 1035 §4.1.1). */
const HEADER_BYTES = 12;
const QR = 0x8000;
const OPCODE = 0x7800;
const TC = 0x0200;
const RA = 0x0080;
const RCODE = 0x000f;
/** FORMERR and NOTIMP. */
const REFUSALS_WITHOUT_QUESTION: ReadonlySet<number> = new Set([1, 4]);
const CLASS_IN = 1;
const TYPE_OPT = 41;

/** Largest UDP payload that rarely fragments (DNS flag day 2020). */
const UDP_PAYLOAD_BYTES = 1232;

/** Labels of 1 to 63 visible ASCII characters. */
const NAME = /^(?:[!-\-/-~]{1,63}\.)*[!-\-/-~]{1,63}$/;

const EMPTY: Pick<Message, 'records' | 'negativeTtl' | 'clientSubnetScope'> = {
  records: [],
  negativeTtl: undefined,
  clientSubnetScope: undefined,
};

function isQuestion(bytes: Buffer, query: Query): boolean {
  try {
    const { name, type, recordClass } = readQuestion(new WireReader(bytes, HEADER_BYTES));
    return name === query.name && type === typeNumberOf(query.type) && recordClass === CLASS_IN;
  } catch (error) {
    if (error instanceof UpstreamError) return false;
    throw error;
  }
}

function readQuestion(reader: WireReader): Pick<Row, 'name' | 'type' | 'recordClass'> {
  return { name: reader.name(), type: reader.u16(), recordClass: reader.u16() };
}

/** Reads rows. A `count` larger than the message fails at the first missing row. */
function readRows(reader: WireReader, count: number): Row[] {
  const rows: Row[] = [];
  for (let i = 0; i < count; i++) {
    const name = reader.name();
    const [type, recordClass, ttl] = [reader.u16(), reader.u16(), reader.u32()];
    rows.push({ name, type, recordClass, ttl, rdata: reader.part(reader.u16()) });
  }
  return rows;
}

/** Returns the OPT record. There is at most one, with the root as its name (RFC 6891 §6.1.1). */
function optOf(additionals: readonly Row[]): Row | undefined {
  const [opt, ...more] = additionals.filter(({ type }) => type === TYPE_OPT);
  if (more.length > 0 || (opt && opt.name !== '.')) throw malformed('invalid OPT record');
  return opt;
}

function cnameTargets(records: readonly DnsRecord[]): string[] {
  return records.filter(({ type }) => type === 'CNAME').map(({ value }) => value);
}

function echoedScope({ rdata }: Row, clientSubnet: string): number | undefined {
  const sent = encodeClientSubnet(clientSubnet);
  while (rdata.left > 0) {
    const code = rdata.u16();
    const body = rdata.take(rdata.u16());
    if (code === CLIENT_SUBNET) return scopeOf(body, sent);
  }
  return undefined;
}
