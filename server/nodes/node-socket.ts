import type { RawData, WebSocket } from 'ws';
import { MAX_MESSAGE_BYTES, parseAgentMessage, type AgentMessage, type ServerMessage } from './protocol.js';

/** What is heard from a node. */
export interface NodeSocketEvents {
  onMessage(message: AgentMessage): void;
  /** A frame that is not in the protocol. */
  onBad(what: string): void;
  onClosed(): void;
}

/** The WebSocket of one node, in messages of the protocol. */
export class NodeSocket {
  constructor(
    private readonly socket: WebSocket,
    private readonly events: NodeSocketEvents,
  ) {
    socket.on('message', (text, isBinary) => {
      this.#hear(text, isBinary);
    });
    // Too long, no UTF-8, no frames: ws closes the connection itself.
    socket.on('error', (error) => {
      events.onBad(error.message);
    });
    socket.once('close', () => {
      events.onClosed();
    });
  }

  /** Sends a message; drops it where the node does not take what it was sent. */
  send(message: ServerMessage): void {
    const text = JSON.stringify(message);
    // Much that was not taken yet: the next heartbeat will be missed.
    if (this.socket.bufferedAmount > 4 * MAX_MESSAGE_BYTES) return;
    // A socket that is closing tells of it by itself.
    if (this.socket.readyState === this.socket.OPEN) this.socket.send(text);
  }

  /** Closes with a code of RFC 6455 §7.4. */
  close(code: number, reason: string): void {
    this.socket.close(code, reason);
    setTimeout(() => {
      this.socket.terminate();
    }, CLOSING_MS).unref();
  }

  /** Breaks the connection off, without a closing handshake. */
  terminate(): void {
    this.socket.terminate();
  }

  #hear(raw: RawData, isBinary: boolean): void {
    // A text frame comes as one buffer: that is what ws makes of fragments by default.
    const message = isBinary ? undefined : parseAgentMessage((raw as Buffer).toString());
    if (message === undefined) this.events.onBad('it is not in the protocol');
    else this.events.onMessage(message);
  }
}

/** A closing handshake (RFC 6455 §7.1.1) that takes longer is cut off. */
const CLOSING_MS = 1000;
