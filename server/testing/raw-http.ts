import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Sends raw bytes and reads until the server closes. Returns the received bytes as Latin-1 text. */
export async function sendRaw(url: string, bytes: string): Promise<string> {
  const socket = openSocket(url);
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
  socket.write(bytes, 'latin1');
  await once(socket, 'close');
  return answer;
}

/** Returns a GET request for any target, without a body. Each header ends in CRLF. */
export async function getRaw(url: string, target: string, headers = ''): Promise<RawAnswer> {
  return readAnswer(
    await sendRaw(url, `GET ${target} HTTP/1.1\r\nHost: a\r\n${headers}Connection: close\r\n\r\n`),
  );
}

/** An answer as received. */
export interface RawAnswer {
  /** NaN when there is no status line. */
  readonly status: number;
  /** Status line and header lines. */
  readonly head: string;
  readonly body: string;
}

/** Parses the first answer. */
export function readAnswer(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const head = end < 0 ? text : text.slice(0, end);
  return { status: Number(head.slice(9, 12)), head, body: end < 0 ? '' : text.slice(end + 4) };
}

/** Opens a connection and ignores its errors, because the server may close it. */
export function openSocket(url: string): Socket {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  return socket;
}
