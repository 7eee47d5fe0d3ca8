import { randomUUID } from 'node:crypto';
import type { RawData, WebSocket } from 'ws';
import { leftOf, type Deadline } from '../deadline.js';
import type { NodeCounts } from './node-counts.js';
import type { NodeProbe, NodeProbeResult } from './node-relay.js';
import type { Admitted } from './node-registry.js';
import type { NodeTimes } from '../config.js';
import {
  CLOSE,
  isAtLeast,
  LEAST_AGENT_VERSION,
  MAX_MESSAGE_BYTES,
  parseAgentMessage,
  PROTOCOL,
  type AgentMessage,
  type ServerMessage,
} from './protocol.js';

/** What a session tells of itself. */
export interface SessionEvents {
  /** It is ready for jobs, or has answered a ping while it was. */
  onAlive(session: NodeSession): void;
  /** No more jobs; its connection may go on for those that run. */
  onLeft(session: NodeSession): void;
  onClosed(session: NodeSession): void;
  readonly log: (line: string) => void;
}

export interface SessionParts extends SessionEvents {
  readonly times: NodeTimes;
  readonly counts: NodeCounts;
}

/** What a node has told of itself. */
export interface AgentClaims {
  readonly version: string;
  readonly ipv6: boolean;
}

interface Job {
  readonly answer: (result: NodeProbeResult) => void;
  readonly ackTimer: NodeJS.Timeout;
  readonly deadlineTimer: NodeJS.Timeout;
}

/** So much that is not in the protocol ends a connection. */
const BAD_MESSAGES = 10;
/** A closing handshake (RFC 6455 §7.1.1) that takes longer is cut off. */
const CLOSING_MS = 1000;

/** The connection of one node: connected, then in its self-test, then ready for jobs, then leaving. */
export class NodeSession {
  #state: 'connected' | 'self-test' | 'ready' | 'leaving' = 'connected';
  #claims: AgentClaims | undefined;
  #badMessages = 0;
  #pings = 0;
  #unanswered: number | undefined;
  readonly #jobs = new Map<string, Job>();
  readonly #heartbeat: NodeJS.Timeout;
  readonly #readyTimer: NodeJS.Timeout;
  #idle: (() => void) | undefined;

  constructor(
    readonly admitted: Admitted,
    private readonly socket: WebSocket,
    private readonly parts: SessionParts,
  ) {
    const { heartbeatMs, readyMs } = parts.times;
    this.#heartbeat = setInterval(() => {
      this.#beat();
    }, heartbeatMs);
    this.#readyTimer = setTimeout(() => {
      this.#drop('was not ready in time');
    }, readyMs);
    socket.on('message', (text, isBinary) => {
      this.#hear(text, isBinary);
    });
    // Too long, no UTF-8, no frames: ws closes the connection itself.
    socket.on('error', (error) => {
      this.#bad(error.message);
    });
    socket.once('close', () => {
      this.#end();
    });
  }

  /** Present from the hello on. */
  get claims(): AgentClaims | undefined {
    return this.#claims;
  }

  get isReady(): boolean {
    return this.#state === 'ready';
  }

  /** Asks it for a probe, and waits no longer than the deadline. */
  run({ host, port }: NodeProbe, deadline: Deadline): Promise<NodeProbeResult> {
    if (this.#state !== 'ready') return Promise.resolve({ kind: 'refused' });
    const leftMs = leftOf(deadline);
    if (leftMs === 0) return Promise.resolve({ kind: 'silent' });
    const id = randomUUID();
    this.parts.counts.add('job');
    return new Promise((answer) => {
      const giveUp = (): void => {
        this.#settle(id, { kind: 'silent' });
      };
      const ackTimer = setTimeout(giveUp, Math.min(this.parts.times.ackMs, leftMs));
      const deadlineTimer = setTimeout(giveUp, leftMs);
      this.#jobs.set(id, { answer, ackTimer, deadlineTimer });
      this.#send({ type: 'job', id, host, port, leftMs });
    });
  }

  /** Takes no more jobs, and waits for those that run. */
  async drain(): Promise<void> {
    this.#leave();
    if (this.#jobs.size > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
  }

  /** Ends the connection; what runs is answered with silence. */
  close(code: number, reason: string): void {
    if (this.#state === 'ready') this.parts.log(`node ${this.#name} is sent away: ${reason}`);
    this.#leave();
    this.socket.close(code, reason);
    setTimeout(() => {
      this.socket.terminate();
    }, CLOSING_MS).unref();
  }

  #hear(raw: RawData, isBinary: boolean): void {
    // A text frame comes as one buffer: that is what ws makes of fragments by default.
    const message = isBinary ? undefined : parseAgentMessage((raw as Buffer).toString());
    if (message === undefined) this.#bad('it is not in the protocol');
    else this.#take(message);
  }

  #take(message: AgentMessage): void {
    switch (message.type) {
      case 'hello': {
        this.#welcome(message);
        return;
      }
      case 'ready': {
        this.#begin();
        return;
      }
      case 'pong': {
        this.#pong(message.count);
        return;
      }
      case 'ack': {
        clearTimeout(this.#jobs.get(message.id)?.ackTimer);
        return;
      }
      case 'result': {
        this.#result(message.id, { kind: 'done', ip: message.ip, rtts: message.rtts });
        return;
      }
      case 'refused': {
        this.#result(message.id, { kind: kindOf(message.reason) });
        return;
      }
      case 'goodbye':
        this.parts.log(`node ${this.#name} leaves: ${message.reason}`);
        {
          this.#leave();
          return;
        }
    }
  }

  #welcome({ protocol, version, capabilities }: Extract<AgentMessage, { type: 'hello' }>): void {
    if (this.#state !== 'connected') {
      this.#bad('a second hello');
      return;
    }
    if (protocol !== PROTOCOL || !isAtLeast(version, LEAST_AGENT_VERSION)) {
      this.parts.log(`node ${this.#name} is sent away: version ${version}, protocol ${protocol}`);
      this.close(CLOSE.outdated, `agent ${LEAST_AGENT_VERSION}, protocol ${PROTOCOL} or later`);
      return;
    }
    this.#state = 'self-test';
    this.#claims = { version, ipv6: capabilities.ipv6 };
    const { heartbeatMs } = this.parts.times;
    this.#send({ type: 'welcome', code: this.#name, now: Date.now(), heartbeatMs });
  }

  #begin(): void {
    if (this.#state !== 'self-test') {
      this.#bad('ready out of turn');
      return;
    }
    clearTimeout(this.#readyTimer);
    this.#state = 'ready';
    this.parts.log(`node ${this.#name} is ready`);
    this.parts.onAlive(this);
  }

  #beat(): void {
    if (this.#unanswered !== undefined) {
      this.#drop('missed a heartbeat');
      return;
    }
    this.#unanswered = ++this.#pings;
    this.#send({ type: 'ping', count: this.#pings });
  }

  #pong(count: number): void {
    if (count !== this.#unanswered) {
      this.#bad('a pong to no ping');
      return;
    }
    this.#unanswered = undefined;
    if (this.#state === 'ready') this.parts.onAlive(this);
  }

  #result(id: string, result: NodeProbeResult): void {
    if (this.#jobs.has(id)) this.parts.counts.add('job_done');
    else this.parts.counts.add('late_answer');
    this.#settle(id, result);
  }

  #settle(id: string, result: NodeProbeResult): void {
    const job = this.#jobs.get(id);
    if (job === undefined) return;
    this.#jobs.delete(id);
    clearTimeout(job.ackTimer);
    clearTimeout(job.deadlineTimer);
    job.answer(result);
    if (this.#jobs.size === 0) this.#idle?.();
  }

  #bad(what: string): void {
    this.parts.counts.add('bad_message');
    if (this.#badMessages === 0) this.parts.log(`node ${this.#name} said what cannot be understood: ${what}`);
    if (++this.#badMessages === BAD_MESSAGES) this.close(CLOSE.policy, 'not in the protocol');
  }

  /** Whoever does not answer does not answer a closing handshake. */
  #drop(why: string): void {
    this.parts.counts.add('dropped');
    this.parts.log(`node ${this.#name} ${why}`);
    this.#leave();
    this.socket.terminate();
  }

  #leave(): void {
    clearTimeout(this.#readyTimer);
    const wasReady = this.#state === 'ready';
    this.#state = 'leaving';
    if (wasReady) this.parts.onLeft(this);
  }

  #end(): void {
    clearInterval(this.#heartbeat);
    if (this.#state === 'ready') this.parts.log(`node ${this.#name} is gone: the connection broke off`);
    this.#leave();
    for (const id of [...this.#jobs.keys()]) this.#settle(id, { kind: 'silent' });
    this.parts.onClosed(this);
  }

  #send(message: ServerMessage): void {
    const text = JSON.stringify(message);
    // Much that was not taken yet: the next heartbeat will be missed.
    if (this.socket.bufferedAmount > 4 * MAX_MESSAGE_BYTES) return;
    // A socket that is closing tells of it by itself.
    if (this.socket.readyState === this.socket.OPEN) this.socket.send(text);
  }

  get #name(): string {
    return this.admitted.node.code;
  }
}

/** Refusals that say something of the target; all others are about the node. */
function kindOf(
  reason: Extract<AgentMessage, { type: 'refused' }>['reason'],
): 'not-public' | 'not-found' | 'refused' {
  return reason === 'not-public' || reason === 'not-found' ? reason : 'refused';
}
