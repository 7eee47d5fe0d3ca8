import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIP } from 'node:net';
import { parseAddress } from '../../pipeline/net/address.js';

/** What the server says of a name; names that it does not know are NXDOMAIN. */
export type DnsReply =
  | {
      /** Addresses of both families, answered by the type that was asked for; none of it is NODATA. */
      readonly addresses: readonly string[];
      /** Seconds. */
      readonly ttl?: number;
    }
  | 'servfail'
  | 'silence';

/** A DNS server on the loopback (RFC 1035 over UDP) that answers A and AAAA from a table; absence may be kept 60 s. */
export class DnsServer {
  /** Questions as they came: `A example.com`. */
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
    this.asked.push(`${type === TYPE_A ? 'A' : 'AAAA'} ${name}`);
    const reply = this.replies.get(name);
    const question = query.subarray(HEADER_BYTES, end);
    if (reply === 'silence') return undefined;
    if (reply === 'servfail') return message(query, { rcode: SERVFAIL, question, answers: [] });
    if (reply === undefined) return message(query, { rcode: NXDOMAIN, question, answers: [] });
    const answers = reply.addresses
      .filter((ip) => isIP(ip) === (type === TYPE_A ? 4 : 6))
      .map((ip) => addressRecord(ip, reply.ttl ?? 300));
    return message(query, { rcode: 0, question, answers });
  }
}

const HEADER_BYTES = 12;
const TYPE_A = 1;
const TYPE_AAAA = 28;
const SERVFAIL = 2;
const NXDOMAIN = 3;

/** The question behind the header: labels with their lengths, a zero, type and class. */
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

/** An A or AAAA record of the name in the question. */
function addressRecord(ip: string, ttl: number): Buffer {
  const { address, family } = parseAddress(ip)!;
  const bytes = Buffer.alloc(16);
  address.forEach((word, i) => bytes.writeUInt32BE(word, i * 4));
  const rdata = family === 4 ? bytes.subarray(12) : bytes;
  const fixed = Buffer.alloc(12);
  fixed.writeUInt16BE(0xc000 | HEADER_BYTES, 0);
  fixed.writeUInt16BE(family === 4 ? TYPE_A : TYPE_AAAA, 2);
  fixed.writeUInt16BE(1, 4);
  fixed.writeUInt32BE(ttl, 6);
  fixed.writeUInt16BE(rdata.length, 10);
  return Buffer.concat([fixed, rdata]);
}
