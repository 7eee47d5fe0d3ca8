import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionInputs } from './connection-input.js';
import type { Connection, OpenConnections, RefusedFor } from './connection-limits.js';
import { endLingering, rawAnswer } from './last-answer.js';
import type { RequestIds } from './request-id.js';

/** Refuses a connection before anything of it is read. */
type RefuseConnection = (reason: 'total' | 'source', socket: Socket) => void;

/** Gets the connections that are refused or ended. */
export type OnRefused = (reason: RefusedFor, connection: Pick<Connection, 'remoteAddress'>) => void;

/** The parts of a server that admit connections. */
export interface AdmissionParts {
  readonly connections: OpenConnections | undefined;
  readonly inputs: ConnectionInputs;
  readonly onRefused: OnRefused;
  readonly requestId: RequestIds;
}

/**
 * Passes connections within the limits to Node's own listener. `server.maxConnections` would not do: behind node:cluster
 * a connection that every process refuses goes around between them.
 */
export function admitConnections(server: Server, parts: AdmissionParts): void {
  const { connections, inputs, onRefused } = parts;
  const refuse = connectionRefuser(parts);
  const onEnded = (idle: Connection): void => {
    onRefused('idle', idle);
  };
  const serve = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const counted = connections?.enter(socket, onEnded);
    if (typeof counted === 'string') {
      refuse(counted, socket);
      return;
    }
    for (const listener of serve) listener.call(server, socket);
    inputs.take(socket, counted);
  });
}

/** Refused connections that get an answer at a time. Further ones are reset, which costs least. */
const MOST_ANSWERED = 64;

const ANSWERS = {
  source: { status: 429, msg: 'too many open connections from your address' },
  total: { status: 503, msg: 'too many open connections, try again later' },
} as const;

/** Returns the function that refuses connections. */
function connectionRefuser({ onRefused, requestId }: AdmissionParts): RefuseConnection {
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
