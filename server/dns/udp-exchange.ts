import { createSocket } from 'node:dgram';
import { leftOf, type Deadline } from '../deadline.js';
import { UpstreamError } from '../upstream-error.js';
import { decodeResponse, encodeQuery, isResponseTo, type Message, type Query } from './message.js';
import type { NameServer } from './name-server.js';

/**
 * Asks a server over UDP, from a socket and port of its own that hears this server only. What answers another question
 * may be forged: it is passed over, and the wait goes on. Throws UpstreamError.
 */
export function askOverUdp(server: NameServer, query: Query, deadline: Deadline): Promise<Message> {
  const bytes = encodeQuery(query);
  return new Promise((resolve, reject) => {
    const socket = createSocket(server.family === 4 ? 'udp4' : 'udp6');
    const end = (): void => {
      clearTimeout(timer);
      // What it still has to say is of no use to anybody.
      socket.removeAllListeners().on('error', () => undefined);
      socket.close();
    };
    const fail = (error: unknown): void => {
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
        fail(error);
      }
    });
    socket.on('connect', () => {
      socket.send(bytes);
    });
    socket.connect(server.port, server.address);
  });
}
