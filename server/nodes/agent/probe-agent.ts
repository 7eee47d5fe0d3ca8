import { setTimeout as sleep } from 'node:timers/promises';
import { CLOSE } from '../protocol.js';
import { AgentConnection, type ConnectionParts, type Ended } from './agent-connection.js';
import { failedSelfTest, type SelfTest, type SelfTestParts } from './self-test.js';

/** What an agent is made of. */
export interface AgentParts extends Omit<ConnectionParts, 'failedSelfTest'>, SelfTestParts {
  /** Roots of servers, tried one after the other. */
  readonly servers: readonly [URL, ...URL[]];
  /** In place of the host of the server. */
  readonly selfTest?: SelfTest | undefined;
  /** How long to wait before another connection, after so many that came to nothing; for tests. */
  readonly reconnectMs?: (failures: number) => number;
}

/** An agent that must not go on: another one has its token, or it is too old. The message says so. */
export class AgentError extends Error {
  override readonly name = 'AgentError';
}

/** All nodes of a server that ends come back at different times. */
const SPREAD_MS = 30_000;
const MOST_MS = 300_000;

/** Keeps a connection to a server, and does what it is asked there. */
export class ProbeAgent {
  readonly #stopping = new AbortController();
  #connection: AgentConnection | undefined;

  constructor(private readonly parts: AgentParts) {}

  /** Resolves after `stop`. Throws AgentError. */
  async run(): Promise<void> {
    for (let attempt = 0, failures = 0; !this.#isStopping(); attempt++) {
      const { servers, log } = this.parts;
      const server = servers[attempt % servers.length]!;
      const ended = await this.#connect(server);
      if (this.#isStopping()) return;
      this.#giveUpAfter(ended);
      failures = ended.wasReady ? 0 : failures + 1;
      const waitMs = Math.round((this.parts.reconnectMs ?? spread)(failures));
      log(`${server.host}: ${ended.reason} (${ended.code}); connecting again in ${waitMs} ms`);
      await this.#wait(waitMs);
    }
  }

  /** Ends running jobs first, at most for `capMs`. */
  async stop(capMs: number): Promise<void> {
    this.#stopping.abort();
    this.parts.log('ending, after what runs');
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
    if (code === CLOSE.replaced) throw new AgentError('another agent has connected with this token');
    if (code === CLOSE.revoked)
      throw new AgentError('the operator has removed this node, or given it another token');
    if (code === CLOSE.outdated) throw new AgentError(`this agent is too old for the server: ${reason}`);
  }

  async #wait(ms: number): Promise<void> {
    const { signal } = this.#stopping;
    await sleep(ms, undefined, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
}

function selfTestAt({ hostname, port, protocol }: URL): SelfTest {
  const host = hostname.replace(/^\[|\]$/g, '');
  const standard = protocol === 'ws:' ? 80 : 443;
  return { host, port: port === '' ? standard : Number(port), isServer: true };
}

/** Anywhere in the next half minute, and after each failure in twice as long. */
function spread(failures: number): number {
  return Math.random() * Math.min(MOST_MS, SPREAD_MS * 2 ** Math.max(0, failures - 1));
}
