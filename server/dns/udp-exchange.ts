import { createSocket } from 'node:dgram';
import { leftOf, type Deadline } from '../deadline.js';
import { UpstreamError } from '../upstream-error.js';
import { decodeResponse, encodeQuery, isResponseTo, type Message, type Query } from './message.js';
import type { NameServer } from './name-server.js';

/**
 * Queries a server over UDP from a new socket that only receives from this server. Ignores messages that do not answer
 * the query, since they may be forged. Throws UpstreamError.
 */
export function queryOverUdp(server: NameServer, query: Query, deadline: Deadline): Promise<Message> {
  const bytes = encodeQuery(query);
  return new Promise((resolve, reject) => {
    const socket = createSocket(server.family === 4 ? 'udp4' : 'udp6');
    const end = (): void => {
      clearTimeout(timer);
      // Later errors of this socket no longer matter.
      socket.removeAllListeners().on('error', () => undefined);
      socket.close();
    };
    const fail = (error: Error): void => {
      end();
      reject(error);
    };
    const timer = setTimeout(() => {
      fail(new UpstreamError('timeout', `${server.text} did not answer`));
    }, leftOf(deadline));
    socket.on('error', (cause) => {
      fail(new UpstreamError('unreachable', `${server.text}: ${cause.message}`, { cause }));
    });
    socket.on('message', (received) => {
      if (!isResponseTo(received, query)) return;
      try {
        resolve(decodeResponse(received, query));
        end();
      } catch (error) {
        fail(error as Error);
      }
    });
    socket.on('connect', () => {
      socket.send(bytes);
    });
    socket.connect(server.port, server.address);
  });
}
