import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { CountedConnection } from './connection-limits.js';

/** Limit of requests of a connection without an answer, the running one included (decision 58). */
export const MOST_UNANSWERED = 16;

/**
 * Bytes of a watched connection that are parsed at a time. Node parses all requests of a chunk of 64 kB before it does
 * anything else, and its parser cannot be stopped in between.
 */
const PIECE_BYTES = 1024;

/**
 * How long all connections are watched after one has exceeded MOST_UNANSWERED or sent input that takes long to parse.
 * Watching costs about a fifth of the
 * requests per second, because Node's parser no longer reads from the socket itself.
 */
const ALERT_MS = 60_000;

/** How long one connection may parse before others are served. A body in chunks of a byte takes 10 ms for 64 kB. */
const TURN_MS = 1;

/** What a server does with requests and with connections beyond the limit. */
export interface InputParts {
  /** Gets the requests within the limit. */
  readonly answer: RequestListener;
  /** Is called when a request exceeds the limit. Its connection answers nothing more. */
  readonly onExceeded: (socket: Socket) => void;
  /** Ends such a connection after its running answer. */
  readonly end: (socket: Socket) => void;
  /** ALERT_MS by default. */
  readonly alertMs?: number | undefined;
}

/**
 * The input of one connection. Its requests are answered one after another, so that a connection with many requests
 * gets as much of the process as one with a single request.
 *
 * Node parses the input in chunks of up to 64 kB until the connection is watched. From then on this class passes the
 * input to Node's parser in pieces, and leaves the rest of a chunk to a later turn of the event loop.
 */
class ConnectionInput {
  #isWatched = false;
  /** `dropped`: input is read and discarded, until the connection ends. `released`: it has another reader. */
  #use: 'parsed' | 'dropped' | 'released' = 'parsed';
  #isYielding = false;
  /** The request that is being answered, with its answer. */
  #running: readonly [IncomingMessage, ServerResponse] | undefined;
  /** Is called when nothing more is to be answered. */
  #last: (() => void) | undefined;
  readonly #waiting: [IncomingMessage, ServerResponse][] = [];

  /** `parse` is Node's own listener. */
  constructor(
    private readonly socket: Socket,
    private readonly parse: (bytes: Buffer) => void,
    private readonly parts: ConnectionParts,
    private readonly counted: CountedConnection | undefined,
  ) {}

  /** Reads all further input in pieces. */
  watch(): void {
    if (this.#isWatched || this.#use === 'released') return;
    this.#isWatched = true;
    this.socket.off('data', this.parse);
    // Node's parser stops reading from the socket itself as soon as it has a listener for 'data'.
    this.socket.on('data', this.#receive);
  }

  readonly #receive = (chunk: Buffer): void => {
    const { socket } = this;
    if (this.#isYielding) {
      this.#putBack(chunk);
      return;
    }
    const untilMs = performance.now() + TURN_MS;
    for (let at = 0; at < chunk.length && this.#use !== 'dropped'; at += PIECE_BYTES) {
      // The new reader has received the rest of the piece before.
      if (this.#use === 'released') {
        socket.push(chunk.subarray(at));
        return;
      }
      // Node's parser is paused until the answers so far are read. It fails on input.
      if (socket.isPaused()) {
        socket.unshift(chunk.subarray(at));
        return;
      }
      if (at > 0 && performance.now() > untilMs) {
        this.#yield(chunk.subarray(at));
        return;
      }
      this.parse(chunk.length <= PIECE_BYTES ? chunk : chunk.subarray(at, at + PIECE_BYTES));
    }
  };

  /** Leaves the rest of the input to the next turn of the event loop, so that other connections are served. */
  #yield(rest: Buffer): void {
    this.parts.alert();
    this.#isYielding = true;
    this.#putBack(rest);
    setImmediate(() => {
      this.#isYielding = false;
      if (!this.#isBodyAbandoned()) this.socket.resume();
    });
  }

  /** Node resumes the socket whenever a body is read, so this may happen several times in a turn. */
  #putBack(rest: Buffer): void {
    // `unshift` passes bytes on at once unless the socket is paused.
    this.socket.pause();
    this.socket.unshift(rest);
  }

  /** Returns whether the running request was answered without its body, so that its connection will close. */
  #isBodyAbandoned(): boolean {
    const [req, res] = this.#running ?? [];
    return req?.isPaused() === true && !req.complete && res?.headersSent === true;
  }

  /** Takes a parsed request. */
  request(req: IncomingMessage, res: ServerResponse): void {
    if (this.#use === 'dropped') return;
    // The body may consist of chunks of one byte.
    if (isChunked(req)) this.watch();
    if (this.#running === undefined) {
      this.#answer(req, res);
      return;
    }
    this.watch();
    this.#waiting.push([req, res]);
    if (this.#waiting.length < MOST_UNANSWERED) return;
    this.#waiting.length = 0;
    this.parts.alert();
    this.parts.onExceeded(this.socket);
    this.finish(() => {
      this.parts.end(this.socket);
    });
  }

  /** Calls `last` after the answers to all complete requests. A request that has not arrived whole never will. */
  finish(last: () => void): void {
    this.#use = 'dropped';
    this.watch();
    if (this.#waiting.at(-1)?.[0].complete === false) this.#waiting.pop();
    const [req, res] = this.#running ?? [];
    if (req?.complete === true) this.#last = last;
    // A second answer would become a part of the one that has begun.
    else if (res?.headersSent === true) this.socket.destroy();
    else last();
  }

  /** Returns false when requests are unanswered. */
  release(): boolean {
    this.#use = 'released';
    this.counted?.markBusy();
    this.socket.off('data', this.#receive);
    return this.#running === undefined;
  }

  #answer(req: IncomingMessage, res: ServerResponse): void {
    this.#running = [req, res];
    this.counted?.markBusy();
    res.on('close', this.#answered);
    this.parts.answer(req, res);
  }

  readonly #answered = (): void => {
    const [req] = this.#running!;
    // A refused body. Node has parsed its first 64 kB, which takes 10 ms if they are chunks of a byte.
    if (!req.complete && isChunked(req)) this.parts.alert();
    this.#running = undefined;
    if (this.#use !== 'released') this.counted?.markIdle();
    // No answer can be sent after one with `Connection: close`.
    if (!this.socket.writable) return;
    const next = this.#waiting.shift();
    if (next !== undefined) this.#answer(...next);
    else this.#last?.();
  };
}

function isChunked({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined;
}

/** What a connection shares with the others. */
interface ConnectionParts extends InputParts {
  /** Watches all connections for `alertMs`. */
  readonly alert: () => void;
}

/** The input of all connections of a server. */
export class ConnectionInputs {
  readonly #inputs = new Map<Socket, ConnectionInput>();
  readonly #parts: ConnectionParts;
  /** By performance.now(). */
  #alertUntilMs = -Infinity;

  /** `answer` gets the requests within the limit. */
  constructor(parts: InputParts) {
    this.#parts = {
      ...parts,
      alert: () => {
        if (!this.#isAlert()) for (const input of this.#inputs.values()) input.watch();
        this.#alertUntilMs = performance.now() + (parts.alertMs ?? ALERT_MS);
      },
    };
  }

  /** Takes over the input of a connection. Called after Node has begun to serve it. */
  take(socket: Socket, counted: CountedConnection | undefined): void {
    const [parse] = socket.listeners('data') as ((bytes: Buffer) => void)[];
    if (parse === undefined) return;
    const input = new ConnectionInput(socket, parse, this.#parts, counted);
    this.#inputs.set(socket, input);
    socket.once('close', () => this.#inputs.delete(socket));
    if (this.#isAlert()) input.watch();
  }

  #isAlert(): boolean {
    return performance.now() < this.#alertUntilMs;
  }

  /** Takes a request that Node has parsed. */
  readonly request: RequestListener = (req, res) => {
    const input = this.#inputs.get(req.socket);
    if (input === undefined) this.#parts.answer(req, res);
    else input.request(req, res);
  };

  /** Drops all further input. Calls `last` once the complete requests are answered. */
  finish(socket: Socket, last: () => void): void {
    const input = this.#inputs.get(socket);
    if (input === undefined) last();
    else input.finish(last);
  }

  /**
   * Leaves all further input to another reader, when the connection changes its protocol. Returns false when it has
   * unanswered requests: Node has removed the listeners that they need.
   */
  release(socket: Socket): boolean {
    return this.#inputs.get(socket)?.release() ?? true;
  }
}
