import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { freePort } from '../testing/free-port.js';
import { startIpatlas, type IpatlasProcess } from './ipatlas-process.js';

/** An API server that runs during the whole soak and follows `current`. */
export class ApiServer {
  #running: IpatlasProcess | undefined;
  #url = '';

  constructor(
    private readonly main: string,
    private readonly variables: Readonly<Record<string, string>>,
  ) {}

  /** Starts the server on a free port and waits until it listens. */
  async start(): Promise<void> {
    const port = await freePort();
    const metricsPort = await freePort();
    const variables = { ...this.variables, PORT: String(port), METRICS_PORT: String(metricsPort) };
    this.#url = `http://127.0.0.1:${port}`;
    this.#running = startIpatlas({ main: this.main, args: ['serve'], variables });
    await this.#running.saw('listening on');
  }

  /** Kills the server with SIGKILL and starts another one. */
  async killAndStart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Kills the server. */
  async stop(): Promise<void> {
    this.#running?.child.kill('SIGKILL');
    await this.#running?.ended;
  }

  /** Waits until the server serves a release. Returns the problem if it does not within a minute. */
  async untilServed(id: string): Promise<string | undefined> {
    const deadline = Date.now() + SWAP_MS;
    let found = await this.#ready();
    while (found !== id && Date.now() < deadline) {
      await sleep(200);
      found = await this.#ready();
    }
    return found === id ? undefined : `the server serves ${found}; expected ${id}`;
  }

  async #ready(): Promise<string> {
    const answer = await fetch(`${this.#url}/readyz`);
    return readySchema.parse(await answer.json()).release ?? 'no release';
  }
}

const SWAP_MS = 60_000;
const readySchema = z.looseObject({ release: z.string().nullable() });
