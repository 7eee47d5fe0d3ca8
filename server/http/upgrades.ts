import { ServerResponse, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ConnectionInputs } from './connection-input.js';
import { hasTooManyLines, hostLinesOf } from './header-lines.js';
import { endLingering, rawAnswer } from './last-answer.js';
import type { RequestIds } from './request-id.js';

/** Accepts WebSockets on a path. */
export interface WebSocketEndpoint {
  readonly path: string;
  accept(req: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** The parts of a server that answer upgrades. */
export interface UpgradeParts {
  readonly answer: RequestListener;
  readonly inputs: ConnectionInputs;
  readonly requestId: RequestIds;
}

/**
 * Passes WebSockets for a path to `endpoint`. Other Upgrade headers, such as that of `curl --http2`, are ignored as RFC
 * 9110 §7.8 allows, and the request is answered. With a body it is refused, because Node does not read bodies here.
 */
export function takeUpgrades(server: Server, endpoint: WebSocketEndpoint, parts: UpgradeParts): void {
  server.on('upgrade', (req, socket: Socket, head) => {
    if (!takeOver(socket, parts)) return;
    const isWebSocket = req.headers.upgrade?.toLowerCase() === 'websocket';
    const isForEndpoint = isWebSocket && req.url?.split('?', 1)[0] === endpoint.path;
    if (isForEndpoint && !hasTooManyLines(req) && hostLinesOf(req) <= 1) {
      endpoint.accept(req, socket, head);
    } else if (req.method === 'GET' || req.method === 'HEAD') {
      answerLast(req, socket, parts);
    } else {
      refuse(socket, 400, parts);
    }
  });
}

/** Answers CONNECT requests like all others. Without this Node closes the connection. */
export function takeConnects(server: Server, parts: UpgradeParts): void {
  server.on('connect', (req, socket: Socket) => {
    if (takeOver(socket, parts)) answerLast(req, socket, parts);
  });
}

/** Takes a connection that Node has given up. Behind unanswered requests, ends it and returns false (decision 60). */
function takeOver(socket: Socket, { inputs }: UpgradeParts): boolean {
  socket.on('error', () => socket.destroy());
  const isFree = inputs.release(socket);
  if (!isFree) socket.destroy();
  return isFree;
}

/** Answers a request on a connection that Node has given up, and closes it. */
function answerLast(req: IncomingMessage, socket: Socket, parts: UpgradeParts): void {
  if (hasTooManyLines(req)) {
    refuse(socket, 431, parts);
    return;
  }
  const response = new ServerResponse(req);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => socket.end(() => socket.destroy()));
  parts.answer(req, response);
}

function refuse(socket: Socket, status: number, { requestId }: UpgradeParts): void {
  endLingering(socket, rawAnswer({ status, id: requestId(undefined) }));
}
