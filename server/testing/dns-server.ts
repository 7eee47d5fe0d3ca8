import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIP } from 'node:net';
import { parseAddress } from '../../pipeline/net/address.js';

/** The reply for a name. Names that are not in the table are NXDOMAIN. */
export type DnsReply =
  | {
      /** Addresses of both families. A query gets those of its type, or NODATA without any. */
      readonly addresses: readonly string[] | (() => readonly string[]);
      /** The target of a CNAME record before the addresses. */
      readonly alias?: string;
      /** Seconds. */
      readonly ttl?: number;
    }
  /** The PTR record of a reverse name. */
  | { readonly pointer: string; readonly ttl?: number }
  | 'servfail'
  | 'silence';

/** A DNS server on the loopback (RFC 1035 over UDP) that answers from a table. Absence may be cached for 60 s. */
export class DnsServer {
  /** The received questions in order: `A example.com`. */
  readonly asked: string[] = [];
  readonly #socket: Socket;

  private constructor(
    socket: Socket,
    /** May be changed while it runs. */
    readonly replies: Map<string, DnsReply>,
  ) {
    this.#socket = socket;
    socket.on('message', (query, { port, address }) => {
      const reply = this.#replyTo(query);
      if (reply) socket.send(reply, port, address);
    });
  }

  static async start(replies: Readonly<Record<string, DnsReply>>): Promise<DnsServer> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new DnsServer(socket, new Map(Object.entries(replies)));
  }

  /** `address:port` */
  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  async close(): Promise<void> {
    const closed = once(this.#socket, 'close');
    this.#socket.close();
    await closed;
  }

  #replyTo(query: Buffer): Buffer | undefined {
    const { name, type, end } = readQuestion(query);
    this.asked.push(`${TYPES[type] ?? type} ${name}`);
    const reply = this.replies.get(name);
    const question = query.subarray(HEADER_BYTES, end);
    if (reply === 'silence') return undefined;
    if (reply === 'servfail') return message(query, { rcode: SERVFAIL, question, answers: [] });
    if (reply === undefined) return message(query, { rcode: NXDOMAIN, question, answers: [] });
    return message(query, { rcode: 0, question, answers: answersOf(reply, type) });
  }
}

const HEADER_BYTES = 12;
const TYPE_A = 1;
const TYPE_CNAME = 5;
const TYPE_PTR = 12;
const TYPE_AAAA = 28;
const TYPES: Readonly<Record<number, string>> = { 1: 'A', 5: 'CNAME', 12: 'PTR', 28: 'AAAA' };
const SERVFAIL = 2;
const NXDOMAIN = 3;

/** The question after the header: labels with their lengths, a zero, type and class. */
function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

interface Reply {
  readonly rcode: number;
  readonly question: Buffer;
  readonly answers: readonly Buffer[];
}

/** Header of a recursive server's response (RFC 1035 §4.1.1), question, answers. */
function message(query: Buffer, { rcode, question, answers }: Reply): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(query.readUInt16BE(0), 0);
  header.writeUInt16BE(0x8180 | rcode, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(answers.length, 6);
  if (rcode === SERVFAIL || answers.length > 0) return Buffer.concat([header, question, ...answers]);
  header.writeUInt16BE(1, 8);
  return Buffer.concat([header, question, ABSENCE]);
}

/** A SOA of the root (RFC 1035 §3.3.13): names `.` and `.`, five numbers, the last of them the minimum. */
const ABSENCE = Buffer.concat([
  Buffer.of(0, 0, 6, 0, 1, 0, 0, 0, 60, 0, 22, 0, 0),
  Buffer.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 60),
]);

/** Records for the name in the question. */
function answersOf(reply: Exclude<DnsReply, string>, type: number): Buffer[] {
  const { ttl = 300 } = reply;
  const asked = Buffer.of(0xc0, HEADER_BYTES);
  if ('pointer' in reply) {
    return type === TYPE_PTR ? [record(asked, { type, ttl, rdata: nameBytes(reply.pointer) })] : [];
  }
  const { addresses, alias } = reply;
  const owner = alias === undefined ? asked : nameBytes(alias);
  const found = typeof addresses === 'function' ? addresses() : addresses;
  return [
    ...(alias === undefined ? [] : [record(asked, { type: TYPE_CNAME, ttl, rdata: owner })]),
    ...found
      .filter((ip) => (isIP(ip) === 4 ? TYPE_A : TYPE_AAAA) === type)
      .map((ip) => record(owner, { type, ttl, rdata: addressBytes(ip) })),
  ];
}

function addressBytes(ip: string): Buffer {
  const { address, family } = parseAddress(ip)!;
  const bytes = Buffer.alloc(16);
  address.forEach((word, i) => bytes.writeUInt32BE(word, i * 4));
  return family === 4 ? bytes.subarray(12) : bytes;
}

/** A name as labels with their lengths. */
function nameBytes(name: string): Buffer {
  const labels = name
    .split('.')
    .map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`, 'latin1'));
  return Buffer.concat([...labels, Buffer.of(0)]);
}

/** A resource record of the class IN (RFC 1035 §4.1.3). */
function record(
  owner: Buffer,
  { type, ttl, rdata }: { readonly type: number; readonly ttl: number; readonly rdata: Buffer },
): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt32BE(ttl, 4);
  fixed.writeUInt16BE(rdata.length, 8);
  return Buffer.concat([owner, fixed, rdata]);
}
