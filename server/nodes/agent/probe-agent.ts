import { setTimeout as sleep } from 'node:timers/promises';
import { CLOSE } from '../protocol.js';
import { AgentConnection, type ConnectionParts, type Ended } from './agent-connection.js';
import { failedSelfTest, type SelfTest, type SelfTestParts } from './self-test.js';

/** What an agent needs. */
export interface AgentParts extends Omit<ConnectionParts, 'failedSelfTest'>, SelfTestParts {
  /** Roots of servers, tried in turn. */
  readonly servers: readonly [URL, ...URL[]];
  /** Tested instead of the server's host. */
  readonly selfTest?: SelfTest | undefined;
  /** Returns the delay before the next connection, given the number of consecutive failures. For tests. */
  readonly reconnectMs?: (failures: number) => number;
}

/** Thrown when an agent must not reconnect: its token is used elsewhere or revoked, or it is outdated. */
export class AgentError extends Error {
  override readonly name = 'AgentError';
}

/** Spreads the reconnections of all nodes after a server stops. */
const FIRST_DELAY_MS = 30_000;
const MAX_DELAY_MS = 300_000;

/** Keeps a connection to a server and runs the jobs it receives. */
export class ProbeAgent {
  readonly #stopping = new AbortController();
  #connection: AgentConnection | undefined;

  constructor(private readonly parts: AgentParts) {}

  /** Runs until `stop`. Throws AgentError. */
  async run(): Promise<void> {
    for (let attempt = 0, failures = 0; !this.#isStopping(); attempt++) {
      const { servers, log } = this.parts;
      const server = servers[attempt % servers.length]!;
      const ended = await this.#connect(server);
      if (this.#isStopping()) return;
      this.#giveUpAfter(ended);
      failures = ended.wasReady ? 0 : failures + 1;
      const waitMs = Math.round((this.parts.reconnectMs ?? randomDelay)(failures));
      log(`${server.host}: ${ended.reason} (${ended.code}); reconnecting in ${waitMs} ms`);
      await this.#wait(waitMs);
    }
  }

  /** Stops after the running jobs, or after `capMs`. */
  async stop(capMs: number): Promise<void> {
    this.#stopping.abort();
    this.parts.log('stopping after the running jobs');
    await this.#connection?.leave(capMs);
  }

  async #connect(server: URL): Promise<Ended> {
    const { selfTest = selfTestAt(server), ...parts } = this.parts;
    this.#connection = new AgentConnection(server, {
      ...parts,
      failedSelfTest: (now) => failedSelfTest(selfTest, now, parts),
    });
    const ended = await this.#connection.ended;
    this.#connection = undefined;
    return ended;
  }

  #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  #giveUpAfter({ code, reason }: Ended): void {
    if (code === CLOSE.replaced) throw new AgentError('another agent connected with the same token');
    if (code === CLOSE.revoked)
      throw new AgentError('token revoked: the operator removed this node or rotated its token');
    if (code === CLOSE.outdated) throw new AgentError(`this agent is too old: ${reason}`);
  }

  async #wait(ms: number): Promise<void> {
    const { signal } = this.#stopping;
    await sleep(ms, undefined, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
}

/** Returns the self-test of an agent without a target of its own: a connection to its server. */
export function selfTestAt({ hostname, port, protocol }: URL): SelfTest {
  const host = hostname.replace(/^\[|\]$/g, '');
  const standard = protocol === 'ws:' ? 80 : 443;
  return { host, port: port === '' ? standard : Number(port), isServer: true };
}

/** Returns a random delay of up to half a minute, doubled after each failure. */
function randomDelay(failures: number): number {
  return Math.random() * Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.max(0, failures - 1));
}
