import type { WebSocket } from 'ws';
import type { NodeTimes } from '../config.js';
import type { Deadline } from '../deadline.js';
import type { EgressGuard } from '../egress/egress-guard.js';
import { Heartbeat } from './heartbeat.js';
import { NodeFaults } from './node-faults.js';
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
  readonly guard: EgressGuard;
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

/** The connection of one node. Its states are: connected, self-test, ready, leaving. */
export class NodeSession {
  #state: 'connected' | 'self-test' | 'ready' | 'leaving' = 'connected';
  #claims: AgentClaims | undefined;
  readonly #faults: NodeFaults;
  readonly #socket: NodeSocket;
  readonly #jobs: PendingJobs;
  readonly #heartbeat: Heartbeat;
  /** Limits the time until the node is ready, and after its goodbye. */
  #timer: NodeJS.Timeout;

  constructor(
    readonly admitted: Admitted,
    socket: WebSocket,
    private readonly parts: SessionParts,
  ) {
    const { times } = parts;
    const faults = new NodeFaults(this.#name, parts, (why) => {
      this.#refuse(why);
    });
    this.#faults = faults;
    this.#socket = new NodeSocket(socket, {
      onMessage: (message) => {
        this.#take(message);
      },
      onBad: (what) => {
        faults.badMessage(what);
      },
      onClosed: () => {
        this.#end();
      },
    });
    this.#jobs = new PendingJobs({ ...parts, ackMs: times.ackMs, socket: this.#socket, faults });
    this.#heartbeat = new Heartbeat({
      everyMs: times.heartbeatMs,
      ping: (count) => {
        this.#socket.send({ type: 'ping', count });
      },
      onMissed: () => {
        this.#drop('missed a heartbeat');
      },
    });
    this.#timer = setTimeout(() => {
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
        if (!this.#jobs.acknowledge(message.id)) this.#faults.badMessage('acknowledges no job');
        break;
      case 'result':
      case 'refused':
        if (!this.#jobs.answer(message)) this.#faults.badMessage('answers no job');
        break;
      case 'goodbye':
        this.#letLeave(message.reason);
        break;
    }
  }

  #welcome({ protocol, version, capabilities }: Extract<AgentMessage, { type: 'hello' }>): void {
    if (this.#state !== 'connected') {
      this.#faults.badMessage('second hello');
      return;
    }
    if (protocol !== PROTOCOL || !isAtLeast(version, MIN_AGENT_VERSION)) {
      const expected = `expected agent ${MIN_AGENT_VERSION}, protocol ${PROTOCOL} or later`;
      this.parts.log(
        `node ${this.#name} disconnected: version ${version}, protocol ${protocol}; ${expected}`,
      );
      this.close(CLOSE.outdated, expected);
      return;
    }
    this.#state = 'self-test';
    this.#claims = { version, ipv6: capabilities.ipv6 };
    const { heartbeatMs } = this.parts.times;
    this.#socket.send({ type: 'welcome', code: this.#name, now: Date.now(), heartbeatMs });
  }

  #begin(): void {
    if (this.#state !== 'self-test') {
      this.#faults.badMessage('ready before hello');
      return;
    }
    clearTimeout(this.#timer);
    this.#state = 'ready';
    this.parts.log(`node ${this.#name} is ready`);
    this.parts.onAlive(this);
  }

  #pong(count: number): void {
    if (!this.#heartbeat.answer(count)) this.#faults.badMessage('pong without a ping');
    else if (this.#state === 'ready') this.parts.onAlive(this);
  }

  /** Sends no more jobs. The node may finish its running ones, and must then end the connection. */
  #letLeave(reason: string): void {
    if (!this.#faults.goodbye(reason)) return;
    this.#leave();
    this.#timer = setTimeout(() => {
      this.#refuse('still connected after its goodbye');
    }, this.parts.times.leaveMs);
  }

  /** Closes the connection of a node that does not follow the protocol, and reads nothing more. */
  #refuse(why: string): void {
    this.close(CLOSE.policy, why);
    this.#socket.stopReading();
  }

  /** Terminates the connection without a closing handshake, which an unresponsive node would not answer. */
  #drop(why: string): void {
    this.parts.counts.add('dropped');
    this.parts.log(`node ${this.#name} ${why}`);
    this.#leave();
    this.#socket.terminate();
  }

  #leave(): void {
    clearTimeout(this.#timer);
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
