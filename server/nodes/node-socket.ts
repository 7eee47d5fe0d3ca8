import type { RawData, WebSocket } from 'ws';
import { MAX_MESSAGE_BYTES, parseAgentMessage, type AgentMessage, type ServerMessage } from './protocol.js';

/** Events of a node's connection. */
export interface NodeSocketEvents {
  onMessage(message: AgentMessage): void;
  /** A message that is not in the protocol. */
  onBad(what: string): void;
  onClosed(): void;
}

/** The WebSocket of one node, as a stream of protocol messages. */
export class NodeSocket {
  #isClosing = false;
  #controlFrames = 0;
  #minuteBegan = -Infinity;

  constructor(
    private readonly socket: WebSocket,
    private readonly events: NodeSocketEvents,
  ) {
    socket.on('message', (text, isBinary) => {
      this.#hear(text, isBinary);
    });
    // ws itself closes the connection after oversized frames, invalid UTF-8 and invalid frames.
    socket.on('error', (error) => {
      events.onBad(error.message);
    });
    // ws answers every ping. Neither side of the protocol uses them, but a proxy in between may.
    for (const control of ['ping', 'pong'] as const)
      socket.on(control, () => {
        this.#countControlFrame();
      });
    socket.once('close', () => {
      events.onClosed();
    });
  }

  /** Sends a message. Drops it if the node does not read what it was sent before. */
  send(message: ServerMessage): void {
    const text = JSON.stringify(message);
    // A node with a full buffer will miss its next heartbeat.
    if (this.socket.bufferedAmount > 4 * MAX_MESSAGE_BYTES) return;
    // A closing socket emits `close` by itself.
    if (this.socket.readyState === this.socket.OPEN) this.socket.send(text);
  }

  /** Closes with a status code (RFC 6455 §7.4). */
  close(code: number, reason: string): void {
    this.#isClosing = true;
    this.socket.close(code, reason);
    setTimeout(() => {
      this.socket.terminate();
    }, CLOSING_MS).unref();
  }

  /** Reads nothing more, so that a flood of messages costs nothing until the closing handshake is over. */
  stopReading(): void {
    this.socket.pause();
  }

  /** Terminates the connection without a closing handshake. */
  terminate(): void {
    this.socket.terminate();
  }

  #countControlFrame(): void {
    const now = performance.now();
    if (now - this.#minuteBegan > 60_000) {
      this.#minuteBegan = now;
      this.#controlFrames = 0;
    }
    if (++this.#controlFrames > MAX_CONTROL_FRAMES) this.events.onBad('too many pings or pongs of WebSocket');
  }

  #hear(raw: RawData, isBinary: boolean): void {
    // Messages may still arrive during the closing handshake.
    if (this.#isClosing) return;
    // ws delivers a text message as one buffer by default, even if it was fragmented.
    const message = isBinary ? undefined : parseAgentMessage((raw as Buffer).toString());
    if (message === undefined) this.events.onBad('not in the protocol');
    else this.events.onMessage(message);
  }
}

/** Limit of pings and pongs of WebSocket (RFC 6455 §5.5) in a minute. */
const MAX_CONTROL_FRAMES = 60;
/** Time limit of the closing handshake (RFC 6455 §7.1.1). */
const CLOSING_MS = 1000;
