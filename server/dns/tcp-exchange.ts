import { connect } from 'node:net';
import { leftOf, type Deadline } from '../deadline.js';
import { UpstreamError } from '../upstream-error.js';
import { decodeResponse, encodeQuery, type Message, type Query } from './message.js';
import type { NameServer } from './name-server.js';

/**
 * Queries a server over TCP, where each message follows a two-byte length (RFC 7766). Reads one message at most, in any
 * number of pieces. Throws UpstreamError.
 */
export function queryOverTcp(server: NameServer, query: Query, deadline: Deadline): Promise<Message> {
  const bytes = encodeQuery(query);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: server.address, port: server.port, autoSelectFamily: false });
    const response = new LengthPrefixed();
    const end = (): void => {
      clearTimeout(timer);
      socket.destroy();
    };
    const fail = (error: Error): void => {
      end();
      reject(error);
    };
    const timer = setTimeout(() => {
      fail(new UpstreamError('timeout', `${server.text} did not answer over TCP`));
    }, leftOf(deadline));
    socket.on('error', (cause) => {
      fail(new UpstreamError('unreachable', `${server.text} over TCP: ${cause.message}`, { cause }));
    });
    socket.on('close', () => {
      fail(new UpstreamError('unreachable', `${server.text} closed the connection before answering`));
    });
    socket.on('data', (piece) => {
      const received = response.push(piece);
      if (received === undefined) return;
      try {
        const message = decodeResponse(received, query);
        end();
        resolve(message);
      } catch (error) {
        fail(error as Error);
      }
    });
    socket.write(Buffer.concat([Buffer.of(bytes.length >> 8, bytes.length & 0xff), bytes]));
  });
}

/** Collects the first message of a stream. */
class LengthPrefixed {
  readonly #bytes = Buffer.allocUnsafe(2 + 0xffff);
  #lengthBytes = 0;

  /** Adds a piece and returns the message once it is complete. */
  push(piece: Buffer): Buffer | undefined {
    this.#lengthBytes += piece.copy(this.#bytes, this.#lengthBytes);
    if (this.#lengthBytes < 2) return undefined;
    const end = 2 + this.#bytes.readUInt16BE(0);
    return this.#lengthBytes < end ? undefined : this.#bytes.subarray(2, end);
  }
}
