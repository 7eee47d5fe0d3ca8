import type { WebSocket } from 'ws';
import type { NodeTimes } from '../config.js';
import type { Deadline } from '../deadline.js';
import { Heartbeat } from './heartbeat.js';
import type { NodeCounts } from './node-counts.js';
import type { Admitted } from './node-store.js';
import type { NodeProbe, NodeProbeResult } from './node-relay.js';
import { NodeSocket } from './node-socket.js';
import { PendingJobs } from './pending-jobs.js';
import { CLOSE, isAtLeast, MIN_AGENT_VERSION, PROTOCOL, type AgentMessage } from './protocol.js';

/** What a session needs, and its callbacks. */
export interface SessionParts {
  readonly times: NodeTimes;
  readonly counts: NodeCounts;
  /** The node became ready, or answered a ping while ready. */
  onAlive(session: NodeSession): void;
  /** The node accepts no more jobs. Running jobs may continue. */
  onLeft(session: NodeSession): void;
  onClosed(session: NodeSession): void;
  readonly log: (line: string) => void;
}

/** What an agent reports about itself. */
export interface AgentClaims {
  readonly version: string;
  readonly ipv6: boolean;
}

/** Number of invalid messages that end a connection. */
const BAD_MESSAGES = 10;

/** The connection of one node. Its states are: connected, self-test, ready, leaving. */
export class NodeSession {
  #state: 'connected' | 'self-test' | 'ready' | 'leaving' = 'connected';
  #claims: AgentClaims | undefined;
  #badMessages = 0;
  readonly #socket: NodeSocket;
  readonly #jobs: PendingJobs;
  readonly #heartbeat: Heartbeat;
  readonly #readyTimer: NodeJS.Timeout;

  constructor(
    readonly admitted: Admitted,
    socket: WebSocket,
    private readonly parts: SessionParts,
  ) {
    const { times, counts } = parts;
    this.#socket = new NodeSocket(socket, {
      onMessage: (message) => {
        this.#take(message);
      },
      onBad: (what) => {
        this.#bad(what);
      },
      onClosed: () => {
        this.#end();
      },
    });
    this.#jobs = new PendingJobs({ socket: this.#socket, ackMs: times.ackMs, counts });
    this.#heartbeat = new Heartbeat({
      everyMs: times.heartbeatMs,
      ping: (count) => {
        this.#socket.send({ type: 'ping', count });
      },
      onMissed: () => {
        this.#drop('missed a heartbeat');
      },
    });
    this.#readyTimer = setTimeout(() => {
      this.#drop('was not ready in time');
    }, times.readyMs);
  }

  /** Present after the hello. */
  get claims(): AgentClaims | undefined {
    return this.#claims;
  }

  get isReady(): boolean {
    return this.#state === 'ready';
  }

  /** Runs a probe at the node until the deadline. */
  run(probe: NodeProbe, deadline: Deadline): Promise<NodeProbeResult> {
    return this.isReady ? this.#jobs.run(probe, deadline) : Promise.resolve({ kind: 'refused' });
  }

  /** Stops accepting jobs and waits for running ones. */
  async drain(): Promise<void> {
    this.#leave();
    await this.#jobs.untilIdle();
  }

  /** Closes the connection. Running jobs end as silent. */
  close(code: number, reason: string): void {
    if (this.#state === 'ready') this.parts.log(`node ${this.#name} disconnected: ${reason}`);
    this.#leave();
    this.#socket.close(code, reason);
  }

  #take(message: AgentMessage): void {
    switch (message.type) {
      case 'hello':
        this.#welcome(message);
        break;
      case 'ready':
        this.#begin();
        break;
      case 'pong':
        this.#pong(message.count);
        break;
      case 'ack':
        this.#jobs.acknowledge(message.id);
        break;
      case 'result':
        this.#jobs.answer(message.id, { kind: 'done', ip: message.ip, rtts: message.rtts });
        break;
      case 'refused':
        this.#jobs.answer(message.id, { kind: kindOf(message.reason) });
        break;
      case 'goodbye':
        this.parts.log(`node ${this.#name} is leaving: ${message.reason}`);
        this.#leave();
        break;
    }
  }

  #welcome({ protocol, version, capabilities }: Extract<AgentMessage, { type: 'hello' }>): void {
    if (this.#state !== 'connected') {
      this.#bad('second hello');
      return;
    }
    if (protocol !== PROTOCOL || !isAtLeast(version, MIN_AGENT_VERSION)) {
      this.parts.log(
        `node ${this.#name} disconnected: version ${version}, protocol ${protocol}; expected at least ` +
          `${MIN_AGENT_VERSION}, ${PROTOCOL}`,
      );
      this.close(CLOSE.outdated, `expected agent ${MIN_AGENT_VERSION}, protocol ${PROTOCOL} or later`);
      return;
    }
    this.#state = 'self-test';
    this.#claims = { version, ipv6: capabilities.ipv6 };
    const { heartbeatMs } = this.parts.times;
    this.#socket.send({ type: 'welcome', code: this.#name, now: Date.now(), heartbeatMs });
  }

  #begin(): void {
    if (this.#state !== 'self-test') {
      this.#bad('ready before hello');
      return;
    }
    clearTimeout(this.#readyTimer);
    this.#state = 'ready';
    this.parts.log(`node ${this.#name} is ready`);
    this.parts.onAlive(this);
  }

  #pong(count: number): void {
    if (!this.#heartbeat.answer(count)) this.#bad('pong without a ping');
    else if (this.#state === 'ready') this.parts.onAlive(this);
  }

  #bad(what: string): void {
    this.parts.counts.add('bad_message');
    if (this.#badMessages === 0) this.parts.log(`node ${this.#name}: invalid message: ${what}`);
    if (++this.#badMessages === BAD_MESSAGES) this.close(CLOSE.policy, `${BAD_MESSAGES} invalid messages`);
  }

  /** Terminates the connection without a closing handshake, which an unresponsive node would not answer. */
  #drop(why: string): void {
    this.parts.counts.add('dropped');
    this.parts.log(`node ${this.#name} ${why}`);
    this.#leave();
    this.#socket.terminate();
  }

  #leave(): void {
    clearTimeout(this.#readyTimer);
    const wasReady = this.#state === 'ready';
    this.#state = 'leaving';
    if (wasReady) this.parts.onLeft(this);
  }

  #end(): void {
    this.#heartbeat.stop();
    if (this.#state === 'ready') this.parts.log(`node ${this.#name} disconnected: connection lost`);
    this.#leave();
    this.#jobs.giveUp();
    this.parts.onClosed(this);
  }

  get #name(): string {
    return this.admitted.node.code;
  }
}

/** Maps a refusal to a result. Only two reasons are about the target. */
function kindOf(
  reason: Extract<AgentMessage, { type: 'refused' }>['reason'],
): 'not-public' | 'not-found' | 'refused' {
  return reason === 'not-public' || reason === 'not-found' ? reason : 'refused';
}
