import type { Dispatcher } from 'undici';
import { leftOf, type Deadline } from '../deadline.js';
import { UpstreamError } from '../upstream-error.js';
import type { Connection } from './connection.js';
import type { HttpReply } from './http-client.js';
import type { Hop } from './redirects.js';

/** Limits of a reply. */
export interface ReplyLimits {
  readonly maxBytes: number;
  readonly deadline: Deadline;
}

/** Thrown when a connection broke before the reply began. The server may have closed it while it was idle. */
export class BrokenConnection extends UpstreamError {}

/** Sends one request in a reserved slot of a connection. Throws UpstreamError. */
export async function exchange(connection: Connection, hop: Hop, limits: ReplyLimits): Promise<HttpReply> {
  const abort = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  // undici only reacts to the abort signal once the request is sent.
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const failure = new UpstreamError('timeout', `${hop.url.host} did not answer in time`);
      abort.abort(failure);
      connection.retire();
      reject(failure);
    }, leftOf(limits.deadline));
  });
  const progress = { hasBegun: false };
  const reply = connection.run(requestOf(hop, abort.signal), async (reply) => {
    progress.hasBegun = true;
    return await readReply(reply, { connection, hop, limits });
  });
  try {
    return await Promise.race([reply, late]);
  } catch (error) {
    throw progress.hasBegun ? upstreamError(error, hop) : brokenOr(error, hop);
  } finally {
    clearTimeout(timer);
  }
}

function requestOf({ url, method, headers, body }: Hop, signal: AbortSignal): Dispatcher.RequestOptions {
  return {
    path: `${url.pathname}${url.search}`,
    method,
    signal,
    body: body ?? null,
    // All requests are lookups. Without this flag undici sends nothing concurrently with a POST.
    idempotent: true,
    // A compressed body could expand beyond the size limit.
    headers: { accept: '*/*', ...headers, 'accept-encoding': 'identity' },
  };
}

/** The request a reply belongs to. */
interface SentRequest {
  readonly connection: Connection;
  readonly hop: Hop;
  readonly limits: ReplyLimits;
}

async function readReply(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  { connection, hop, limits }: SentRequest,
): Promise<HttpReply> {
  // Rejects without reading the rest.
  const refuse = (why: string): never => {
    throw new UpstreamError('malformed', `invalid reply from ${hop.url.host}: ${why}`);
  };
  // undici reports an unread body as an error.
  body.on('error', () => undefined);
  try {
    if (sizeOf(headers) > MAX_HEADER_BYTES) refuse(`headers longer than ${MAX_HEADER_BYTES} bytes`);
    if (!['', 'identity'].includes(String(headers['content-encoding'] ?? ''))) refuse('compressed body');
    const chunks: Buffer[] = [];
    let lengthBytes = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      lengthBytes += chunk.length;
      if (lengthBytes > limits.maxBytes) refuse(`body longer than ${limits.maxBytes} bytes`);
      chunks.push(chunk);
    }
    // An HTTP/2 stream can end early without an error. A 304 declares the length of a body it omits.
    const declared = Number(headers['content-length'] ?? lengthBytes);
    if (declared !== lengthBytes && statusCode !== 304)
      refuse(`body has ${lengthBytes} of ${declared} declared bytes`);
    const { address, httpVersion } = connection;
    return { status: statusCode, headers, body: Buffer.concat(chunks), url: hop.url, address, httpVersion };
  } finally {
    body.destroy();
  }
}

/** Applies to both versions. Node has a further limit for HTTP/2. */
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

/** Error codes of undici and llhttp for invalid HTTP. */
const PROTOCOL_ERROR = /^(?:HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_|ERR_HTTP2_|UND_ERR_RESPONSE)/;
