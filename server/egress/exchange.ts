import type { Dispatcher } from 'undici';
import { leftOf, type Deadline } from '../deadline.js';
import { UpstreamError } from '../upstream-error.js';
import type { Connection } from './connection.js';
import type { HttpReply } from './http-client.js';
import type { Hop } from './redirects.js';

/** How far an answer may go. */
export interface ReplyLimits {
  readonly maxBytes: number;
  readonly deadline: Deadline;
}

/** The connection broke before an answer began, as one does that the server closed while it was idle. */
export class BrokenConnection extends UpstreamError {}

/** Sends one request over a connection that keeps room for it. Throws UpstreamError. */
export async function exchange(connection: Connection, hop: Hop, limits: ReplyLimits): Promise<HttpReply> {
  const abort = new AbortController();
  const timer = setTimeout(() => {
    abort.abort(new UpstreamError('timeout', `${hop.url.host} did not answer in time`));
  }, leftOf(limits.deadline));
  let hasBegun = false;
  try {
    return await connection.run(requestOf(hop, abort.signal), async (reply) => {
      hasBegun = true;
      return await readReply(reply, { connection, hop, limits });
    });
  } catch (error) {
    throw hasBegun ? upstreamError(error, hop) : brokenOr(error, hop);
  } finally {
    clearTimeout(timer);
  }
}

function requestOf({ url, method, headers, body }: Hop, signal: AbortSignal): Dispatcher.RequestOptions {
  return {
    ...{ path: `${url.pathname}${url.search}`, method, signal, body: body ?? null },
    // Only lookups are sent: without this undici lets no other request run beside a POST.
    idempotent: true,
    // Compressed answers can unfold into far more than was let in.
    headers: { accept: '*/*', ...headers, 'accept-encoding': 'identity' },
  };
}

interface Asked {
  readonly connection: Connection;
  readonly hop: Hop;
  readonly limits: ReplyLimits;
}

async function readReply(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  { connection, hop, limits }: Asked,
): Promise<HttpReply> {
  // What is wrong with it may be known only when it has begun: the rest is not waited for.
  const refuse = (why: string): never => {
    throw new UpstreamError('malformed', `${hop.url.host} sent ${why}`);
  };
  try {
    if (sizeOf(headers) > MAX_HEADER_BYTES) refuse('too long a header');
    if (!['', 'identity'].includes(String(headers['content-encoding'] ?? ''))) refuse('an encoded body');
    const chunks: Buffer[] = [];
    let lengthBytes = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      lengthBytes += chunk.length;
      if (lengthBytes > limits.maxBytes) refuse(`more than ${limits.maxBytes} bytes`);
      chunks.push(chunk);
    }
    const { address, httpVersion } = connection;
    return { status: statusCode, headers, body: Buffer.concat(chunks), url: hop.url, address, httpVersion };
  } finally {
    body.destroy();
  }
}

/** HTTP/2 has its own limit, in node; this one is for both. */
const MAX_HEADER_BYTES = 16_384;

function sizeOf(headers: Dispatcher.ResponseData['headers']): number {
  return Object.entries(headers).reduce(
    (size, [name, value]) => size + name.length + String(value).length,
    0,
  );
}

function upstreamError(error: unknown, { url }: Hop): UpstreamError {
  if (error instanceof UpstreamError) return error;
  const { message, code = '' } = error as NodeJS.ErrnoException;
  return new UpstreamError(
    PROTOCOL_ERROR.test(code) ? 'malformed' : 'unreachable',
    `${url.host}: ${message}`,
    {
      cause: error,
    },
  );
}

function brokenOr(error: unknown, hop: Hop): UpstreamError {
  const failure = upstreamError(error, hop);
  if (failure.reason !== 'unreachable') return failure;
  return new BrokenConnection('unreachable', failure.message, { cause: error });
}

/** undici's and llhttp's codes for what is no HTTP. */
const PROTOCOL_ERROR = /^(?:HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_|ERR_HTTP2_|UND_ERR_RESPONSE)/;
