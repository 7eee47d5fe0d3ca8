import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { deadlineIn, leftOf, type Deadline } from '../deadline.js';
import type { MeteringRedis } from '../metering/metering-redis.js';
import { UpstreamError } from '../upstream-error.js';
import type { NodeCounts } from './node-counts.js';
import { CHANGES_CHANNEL, parseNodeChange, processChannel, type NodeChange } from './node-records.js';
import type { NodeProbe, NodeProbeResult } from './node-relay.js';

const RESULT = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('done'), ip: z.string(), rtts: z.array(z.number().nullable()) }),
  z.object({ kind: z.enum(['not-public', 'not-found', 'refused', 'silent']) }),
]);

const LETTER = z.discriminatedUnion('kind', [
  /** `leftMs` from now on: clocks of processes differ. */
  z.object({
    ...{ kind: z.literal('ask'), id: z.string(), asker: z.string(), node: z.number().int() },
    ...{ host: z.string(), port: z.number().int(), leftMs: z.number() },
  }),
  z.object({ kind: z.literal('answer'), id: z.string(), result: RESULT }),
]);
type Letter = z.infer<typeof LETTER>;
type Question = Extract<Letter, { kind: 'ask' }>;

/** What a process is told, and what it does when it is asked. */
export interface MailParts {
  readonly redis: MeteringRedis;
  readonly process: string;
  readonly counts: NodeCounts;
  readonly log: (line: string) => void;
  readonly onChange: (change: NodeChange) => void;
  /** News may have been missed. */
  readonly onSubscribed: () => void;
  /** Asks a node of this process. */
  readonly run: (node: number, probe: NodeProbe, deadline: Deadline) => Promise<NodeProbeResult>;
}

interface Waiting {
  readonly answer: (result: NodeProbeResult) => void;
  readonly timer: NodeJS.Timeout;
}

/** Letters between server processes over pub/sub, on a connection of its own: one channel for each, one for all. */
export class ProcessMail {
  readonly #subscriber;
  readonly #waiting = new Map<string, Waiting>();
  /** Whether answers are heard: after Redis was gone, not until this connection is back too. */
  #isSubscribed = false;

  constructor(private readonly parts: MailParts) {
    this.#subscriber = parts.redis.subscriber();
    this.#subscriber.on('ready', () => {
      this.#subscriber
        .subscribe(CHANGES_CHANNEL, processChannel(parts.process))
        // The next connection subscribes anew.
        .then(
          () => {
            this.#isSubscribed = true;
            parts.onSubscribed();
          },
          () => undefined,
        );
    });
    this.#subscriber.on('close', () => {
      this.#isSubscribed = false;
    });
    // The other connection tells what is wrong with the same server.
    this.#subscriber.on('error', () => undefined);
    this.#subscriber.on('message', (channel, text) => {
      this.#open(channel, text);
    });
  }

  /** Asks a node of another process. Throws UpstreamError when Redis does not take the question, or brings no answers. */
  async ask(
    process: string,
    { node, ...probe }: NodeProbe & { readonly node: number },
    deadline: Deadline,
  ): Promise<NodeProbeResult> {
    if (!this.#isSubscribed) throw new UpstreamError('unreachable', 'Redis brings no answers of nodes yet');
    const id = randomUUID();
    const result = this.#wait(id, deadline);
    const question = { kind: 'ask', id, asker: this.parts.process, node, ...probe } as const;
    try {
      const heardBy = await this.#post(process, { ...question, leftMs: leftOf(deadline) });
      // That process has gone, and its nodes with it.
      if (heardBy === 0) this.#settle(id, { kind: 'refused' });
    } catch (error) {
      this.#settle(id, { kind: 'silent' });
      throw new UpstreamError('unreachable', 'Redis does not take questions to nodes', { cause: error });
    }
    return await result;
  }

  close(): void {
    this.#subscriber.disconnect();
    for (const id of [...this.#waiting.keys()]) this.#settle(id, { kind: 'silent' });
  }

  #wait(id: string, deadline: Deadline): Promise<NodeProbeResult> {
    return new Promise((answer) => {
      const timer = setTimeout(() => {
        this.#settle(id, { kind: 'silent' });
      }, leftOf(deadline));
      this.#waiting.set(id, { answer, timer });
    });
  }

  /** Whether somebody waited for it. */
  #settle(id: string, result: NodeProbeResult): boolean {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return false;
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    waiting.answer(result);
    return true;
  }

  #open(channel: string, text: string): void {
    try {
      if (channel === CHANGES_CHANNEL) this.parts.onChange(parseNodeChange(text));
      else this.#read(LETTER.parse(JSON.parse(text)));
    } catch (error) {
      if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
      // A server of another version, say.
      this.parts.log(`news of nodes cannot be read: ${error.message}`);
    }
  }

  #read(letter: Letter): void {
    if (letter.kind === 'ask') void this.#reply(letter);
    else if (!this.#settle(letter.id, letter.result)) this.parts.counts.add('late_answer');
  }

  async #reply({ id, asker, node, host, port, leftMs }: Question): Promise<void> {
    const result = await this.parts.run(node, { host, port }, deadlineIn(leftMs));
    try {
      await this.#post(asker, { kind: 'answer', id, result });
    } catch (error) {
      this.parts.log(
        `an answer of a node is lost: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  /** How many processes have heard it: 0 or 1. */
  #post(process: string, letter: unknown): Promise<number> {
    const { redis } = this.parts;
    return redis.watched(redis.client.publish(processChannel(process), JSON.stringify(letter)));
  }
}
