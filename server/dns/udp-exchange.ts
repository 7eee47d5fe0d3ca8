import { createSocket } from 'node:dgram';
import { leftOf, type Deadline } from '../deadline.js';
import { UpstreamError } from '../upstream-error.js';
import {
  decodeResponse,
  encodeQuery,
  isResponseTo,
  isSpelledAs,
  type Message,
  type Query,
} from './message.js';
import type { NameServer } from './name-server.js';

/** Thrown when the only response has the question in another case. It is forged, or the server changes the case. */
export class OtherCase extends UpstreamError {
  constructor(server: NameServer) {
    super('malformed', `${server.text} changed the case of the question`);
  }
}

/**
 * Queries a server over UDP from a new socket, which has a random port and only receives from this server.
 * Ignores messages that do not answer the query in its spelling, since they may be forged. Throws UpstreamError, and
 * OtherCase if a message differed in its spelling only and no better one followed.
 */
export function queryOverUdp(server: NameServer, query: Query, deadline: Deadline): Promise<Message> {
  const bytes = encodeQuery(query);
  return new Promise((resolve, reject) => {
    const socket = createSocket(server.family === 4 ? 'udp4' : 'udp6');
    let grace: NodeJS.Timeout | undefined;
    const end = (): void => {
      clearTimeout(timer);
      clearTimeout(grace);
      // Later errors of this socket no longer matter.
      socket.removeAllListeners().on('error', () => undefined);
      socket.close();
    };
    const fail = (error: Error): void => {
      end();
      reject(error);
    };
    const timer = setTimeout(() => {
      fail(
        grace === undefined
          ? new UpstreamError('timeout', `${server.text} did not answer`)
          : new OtherCase(server),
      );
    }, leftOf(deadline));
    socket.on('error', (cause) => {
      fail(new UpstreamError('unreachable', `${server.text}: ${cause.message}`, { cause }));
    });
    socket.on('message', (received) => {
      if (!isResponseTo(received, query)) return;
      if (!isSpelledAs(received, query)) {
        grace ??= setTimeout(() => {
          fail(new OtherCase(server));
        }, GRACE_MS);
        return;
      }
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

/** How long to wait for the true response after one in another case. */
const GRACE_MS = 200;
