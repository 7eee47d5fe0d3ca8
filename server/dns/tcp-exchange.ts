import { connect } from 'node:net';
import { leftOf, type Deadline } from '../deadline.js';
import { UpstreamError } from '../upstream-error.js';
import { decodeResponse, encodeQuery, type Message, type Query } from './message.js';
import type { NameServer } from './name-server.js';

/**
 * Asks a server over TCP (RFC 7766): a length of two bytes stands before every message. Reads no more than one message,
 * in whatever pieces it comes. Throws UpstreamError.
 */
export function askOverTcp(server: NameServer, query: Query, deadline: Deadline): Promise<Message> {
  const asked = encodeQuery(query);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: server.address, port: server.port, autoSelectFamily: false });
    const response = new LengthPrefixed();
    const end = (): void => {
      clearTimeout(timer);
      socket.destroy();
    };
    const fail = (error: unknown): void => {
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
      fail(new UpstreamError('unreachable', `${server.text} ended the connection before its answer`));
    });
    socket.on('data', (piece) => {
      const bytes = response.push(piece);
      if (bytes === undefined) return;
      try {
        const message = decodeResponse(bytes, query);
        end();
        resolve(message);
      } catch (error) {
        fail(error);
      }
    });
    socket.write(Buffer.concat([Buffer.of(asked.length >> 8, asked.length & 0xff), asked]));
  });
}

/** Gathers the first message of a stream. */
class LengthPrefixed {
  readonly #bytes = Buffer.allocUnsafe(2 + 0xffff);
  #lengthBytes = 0;

  /** The message once it is whole. */
  push(piece: Buffer): Buffer | undefined {
    this.#lengthBytes += piece.copy(this.#bytes, this.#lengthBytes);
    if (this.#lengthBytes < 2) return undefined;
    const end = 2 + this.#bytes.readUInt16BE(0);
    return this.#lengthBytes < end ? undefined : this.#bytes.subarray(2, end);
  }
}
