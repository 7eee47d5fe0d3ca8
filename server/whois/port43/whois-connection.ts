import { once } from 'node:events';
import { connect as connectSocket, type Socket } from 'node:net';
import { deadlineIn, leftOf, type Deadline } from '../../deadline.js';
import { UpstreamError } from '../../upstream-error.js';

/** A query to a whois server (RFC 3912). */
export interface WhoisQuestion {
  /** Addresses of the server, tried in turn until one connects. */
  readonly ips: readonly string[];
  readonly port: number;
  /** Without the line end. */
  readonly query: string;
  /** For the whole exchange. */
  readonly deadline: Deadline;
  /** Time limit per connection attempt. */
  readonly connectMs: number;
}

/** Longer answers are rejected (decision 25). */
export const MAX_ANSWER_BYTES = 512 * 1024;

/** Returns all bytes until the server closes, at least one. Throws UpstreamError otherwise. */
export async function askWhoisServer(question: WhoisQuestion): Promise<Buffer> {
  const socket = await connectToAny(question);
  try {
    return await exchange(socket, question);
  } finally {
    socket.destroy();
  }
}

/** Limit of addresses tried per host. */
const MAX_ADDRESSES = 4;

async function connectToAny({ ips, port, deadline, connectMs }: WhoisQuestion): Promise<Socket> {
  let failure = new UpstreamError('timeout', 'no time left to connect');
  for (const ip of ips.slice(0, MAX_ADDRESSES)) {
    if (leftOf(deadline) === 0) break;
    const outcome = await connectTo(ip, port, deadlineIn(connectMs, deadline));
    if (!(outcome instanceof UpstreamError)) return outcome;
    failure = outcome;
  }
  throw failure;
}

/** Returns a connected socket, or the reason for the failure. */
async function connectTo(ip: string, port: number, deadline: Deadline): Promise<Socket | UpstreamError> {
  const socket = connectSocket({ host: ip, port });
  const late = new UpstreamError('timeout', `${ip}: connection not established in time`);
  const timer = setTimeout(() => socket.destroy(late), leftOf(deadline));
  try {
    await once(socket, 'connect');
    return socket;
  } catch (error) {
    return error === late ? late : unreachable(ip, error);
  } finally {
    clearTimeout(timer);
  }
}

function exchange(socket: Socket, { query, deadline }: WhoisQuestion): Promise<Buffer> {
  const ip = socket.remoteAddress ?? 'the server';
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let received = 0;
    const timer = setTimeout(() => {
      socket.destroy(new UpstreamError('timeout', `${ip}: answer not complete in time`));
    }, leftOf(deadline));
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      received += chunk.length;
      if (received > MAX_ANSWER_BYTES) socket.destroy(tooLong(ip));
    });
    socket.on('error', (error) => {
      reject(error instanceof UpstreamError ? error : unreachable(ip, error));
    });
    socket.on('end', () => {
      if (received === 0)
        reject(new UpstreamError('malformed', `${ip} closed the connection without an answer`));
      else resolve(Buffer.concat(chunks));
    });
    // No effect if the promise is already settled.
    socket.on('close', () => {
      clearTimeout(timer);
      reject(new UpstreamError('unreachable', `${ip} broke the connection`));
    });
    socket.write(`${query}\r\n`);
  });
}

function tooLong(ip: string): UpstreamError {
  return new UpstreamError('malformed', `${ip}: answer longer than ${MAX_ANSWER_BYTES} bytes`);
}

function unreachable(ip: string, cause: unknown): UpstreamError {
  const what = cause instanceof Error ? cause.message : String(cause);
  return new UpstreamError('unreachable', `${ip}: ${what}`, { cause });
}
