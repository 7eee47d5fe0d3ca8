import { decode, encode, type Answer, type Packet, type RecordType } from 'dns-packet';
import { once } from 'node:events';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { DohResolver } from '../../config.js';
import { TEST_IDENTITY } from '../../testing/tls-identity.js';

/** How the server replies. */
export type DohManner =
  | 'answers'
  | 'stalls'
  /** The right media type with a body that is not a DNS message. */
  | 'garbage'
  | 'html'
  | 'status 500'
  | 'status 429'
  | 'oversized'
  | 'redirects'
  | 'servfail'
  /** A valid message for a different question. */
  | 'another question'
  /** Extended rcode 23: 1 in the OPT record and 7 in the header (RFC 6891 §6.1.3). */
  | 'badcookie';

/** A client subnet as received. */
export interface AskedSubnet {
  readonly family: number;
  readonly ip: string;
  readonly sourcePrefixLength: number;
}

/** A question as received. */
export interface AskedQuestion {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly udpPayloadSize: number | undefined;
  readonly isRecursionDesired: boolean;
  readonly subnet: AskedSubnet | undefined;
  readonly httpVersion: string;
  readonly method: string;
  readonly contentType: string | undefined;
}

/** The records of a name: the same for all clients, or by the address of the client's subnet. */
export type DohAnswers = readonly Answer[] | ((subnet: string | undefined) => readonly Answer[]);

/** A resolver over HTTP/2 and TLS on loopback (RFC 8484). Answers from a table and echoes client subnets. */
export class DohServer {
  readonly asked: AskedQuestion[] = [];
  readonly #sessions = new Set<{ destroy(): void }>();
  readonly #stalled: (() => void)[] = [];

  private constructor(
    private readonly server: Http2SecureServer,
    /** Tests may change it while the server runs. */
    readonly answers: Map<string, DohAnswers>,
    public manner: DohManner,
  ) {
    server.on('request', (request, response) => void this.#serve(request, response));
    server.on('session', (session) => {
      this.#sessions.add(session);
      session.on('close', () => this.#sessions.delete(session));
    });
  }

  /** Starts the server. Names missing from the table are NXDOMAIN. `allowHTTP1` is for clients without HTTP/2. */
  static async start(answers: Readonly<Record<string, DohAnswers>>, allowHTTP1 = false): Promise<DohServer> {
    const { key, cert } = TEST_IDENTITY;
    const server = createSecureServer({ key, cert, allowHTTP1 });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new DohServer(server, new Map(Object.entries(answers)), 'answers');
  }

  /** Answers all questions so far, and all further ones. */
  resume(): void {
    this.manner = 'answers';
    for (const answer of this.#stalled.splice(0)) answer();
  }

  get connectionCount(): number {
    return this.#sessions.size;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Returns the server's configuration entry. The host name is in no DNS, so the address is used. */
  resolver(name = 'Loopback'): DohResolver {
    const url = `https://doh.test-upstream.example.com:${this.port}/dns-query`;
    return { name, url, addresses: ['127.0.0.1'] };
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const session of this.#sessions) session.destroy();
    await closed;
  }

  async #serve(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const query = decode(Buffer.concat(chunks));
    this.asked.push(describe(request, query));
    if (this.manner === 'stalls')
      this.#stalled.push(() => {
        this.#answer(query, response);
      });
    else this.#answer(query, response);
  }

  #answer(query: Packet, response: Http2ServerResponse): void {
    const { manner } = this;
    const { status = 200, type = MEDIA_TYPE, body } = ODD_REPLIES[manner] ?? { body: this.#replyTo(query) };
    response.writeHead(status, {
      'content-type': type,
      ...(status === 302 ? { location: '/elsewhere' } : {}),
    });
    response.end(body);
  }

  #replyTo(query: Packet): Buffer {
    const [question] = query.questions!;
    const { manner } = this;
    const subnet = subnetOf(query);
    const found = this.answers.get(question!.name.toLowerCase());
    const answers = typeof found === 'function' ? found(subnet?.ip) : found;
    const rcode = manner === 'servfail' ? 2 : manner === 'badcookie' ? 7 : answers === undefined ? 3 : 0;
    const echo = { ...subnet, code: 8, scopePrefixLength: subnet?.sourcePrefixLength ?? 0 } as const;
    return encode({
      type: 'response',
      id: query.id ?? 0,
      // RD and RA.
      flags: 0x0180 | rcode,
      questions:
        manner === 'another question' ? [{ type: 'A', name: 'other.example.com' }] : query.questions!,
      answers: rcode === 0 ? chosen(answers!, question!.type) : [],
      additionals: [
        {
          type: 'OPT',
          name: '.',
          udpPayloadSize: 1232,
          extendedRcode: manner === 'badcookie' ? 1 : 0,
          ednsVersion: 0,
          flags: 0,
          flag_do: false,
          options: subnet === undefined ? [] : [echo as never],
        } as unknown as Answer,
      ],
    });
  }
}

const MEDIA_TYPE = 'application/dns-message';

interface OddReply {
  readonly status?: number;
  readonly type?: string;
  readonly body: Buffer | string;
}

const ODD_REPLIES: Partial<Record<DohManner, OddReply>> = {
  'status 500': { status: 500, body: '' },
  'status 429': { status: 429, body: '' },
  html: { type: 'text/html', body: '<html></html>' },
  garbage: { body: 'no message at all' },
  oversized: { body: Buffer.alloc(200_000) },
  redirects: { status: 302, body: '' },
};

/** Returns the records of one type, plus all CNAME records. */
function chosen(answers: readonly Answer[], type: RecordType): Answer[] {
  return answers.filter((answer) => answer.type === type || answer.type === 'CNAME');
}

function describe(request: Http2ServerRequest, query: Packet): AskedQuestion {
  const [question] = query.questions!;
  const opt = query.additionals?.find(({ type }) => type === 'OPT') as
    { udpPayloadSize?: number } | undefined;
  return {
    id: query.id ?? -1,
    name: question!.name,
    type: question!.type,
    udpPayloadSize: opt?.udpPayloadSize,
    isRecursionDesired: ((query.flags ?? 0) & 0x0100) !== 0,
    subnet: subnetOf(query),
    httpVersion: request.httpVersion,
    method: request.method,
    contentType: request.headers['content-type'],
  };
}

function subnetOf(query: Packet): AskedSubnet | undefined {
  const opt = query.additionals?.find(({ type }) => type === 'OPT') as
    { options?: readonly (AskedSubnet & { code: number })[] } | undefined;
  const option = opt?.options?.find(({ code }) => code === 8);
  if (option === undefined) return undefined;
  const { family, ip, sourcePrefixLength } = option;
  return { family, ip, sourcePrefixLength };
}
