import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionInputs } from './connection-input.js';
import type { OpenConnections, RefusedFor } from './connection-limits.js';
import { endLingering, rawAnswer } from './last-answer.js';
import type { RequestIds } from './request-id.js';

/** Refuses a connection before anything of it is read. */
type RefuseConnection = (reason: 'total' | 'source', socket: Socket) => void;

/** The parts of a server that admit connections. */
export interface AdmissionParts {
  readonly connections: OpenConnections | undefined;
  readonly inputs: ConnectionInputs;
  readonly refuse: RefuseConnection;
}

/**
 * Passes connections within the limits to Node's own listener. `server.maxConnections` would not do: behind node:cluster
 * a connection that every process refuses goes around between them.
 */
export function admitConnections(server: Server, { connections, inputs, refuse }: AdmissionParts): void {
  const serve = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const reason = connections?.enter(socket);
    if (reason !== undefined) {
      refuse(reason, socket);
      return;
    }
    for (const listener of serve) listener.call(server, socket);
    inputs.take(socket);
  });
}

/** Refused connections that get an answer at a time. Further ones are reset, which costs least. */
const MOST_ANSWERED = 64;

const ANSWERS = {
  source: { status: 429, msg: 'too many open connections from your address' },
  total: { status: 503, msg: 'too many open connections, try again later' },
} as const;

/** Returns the function that refuses connections. */
export function connectionRefuser(
  onRefused: (reason: RefusedFor, socket: Socket) => void,
  requestId: RequestIds,
): RefuseConnection {
  let answering = 0;
  return (reason, socket) => {
    onRefused(reason, socket);
    if (answering >= MOST_ANSWERED) {
      socket.resetAndDestroy();
      return;
    }
    answering++;
    socket.once('close', () => answering--);
    endLingering(socket, rawAnswer({ ...ANSWERS[reason], id: requestId(undefined) }));
  };
}
