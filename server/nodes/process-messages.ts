import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { deadlineIn, leftOf, type Deadline } from '../deadline.js';
import type { RedisConnection } from '../ledger/redis-connection.js';
import { UpstreamError } from '../upstream-error.js';
import type { NodeCounts } from './node-counts.js';
import { CHANGES_CHANNEL, parseNodeChange, processChannel, type NodeChange } from './node-records.js';
import type { NodeProbe, NodeProbeResult } from './node-relay.js';

const RESULT = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('done'), ip: z.string(), rtts: z.array(z.number().nullable()) }),
  z.object({ kind: z.enum(['not-public', 'not-found', 'refused', 'invalid', 'silent']) }),
]);

/** A message between server processes. */
const MESSAGE = z.discriminatedUnion('kind', [
  /** `leftMs` is relative because clocks of processes differ. */
  z.object({
    kind: z.literal('ask'),
    id: z.string(),
    asker: z.string(),
    node: z.number().int(),
    host: z.string(),
    port: z.number().int(),
    leftMs: z.number(),
  }),
  z.object({ kind: z.literal('answer'), id: z.string(), result: RESULT }),
]);
type Message = z.infer<typeof MESSAGE>;
type Question = Extract<Message, { kind: 'ask' }>;

/** What the messages of a process need, and its callbacks. */
export interface MessagesParts {
  readonly redis: RedisConnection;
  readonly process: string;
  readonly counts: NodeCounts;
  readonly log: (line: string) => void;
  readonly onChange: (change: NodeChange) => void;
  /** Called after each subscription, because changes may have been missed. */
  readonly onSubscribed: () => void;
  /** Runs a probe at a node of this process. */
  readonly run: (node: number, probe: NodeProbe, deadline: Deadline) => Promise<NodeProbeResult>;
}

interface PendingQuestion {
  readonly answer: (result: NodeProbeResult) => void;
  readonly timer: NodeJS.Timeout;
}

/** Messages between server processes over Redis pub/sub: one channel per process and one for all. */
export class ProcessMessages {
  readonly #unsubscribe: () => void;
  readonly #pending = new Map<string, PendingQuestion>();
  /** Whether answers can be received. After a reconnect this subscriber may lag behind the other connection. */
  #isSubscribed = false;

  constructor(private readonly parts: MessagesParts) {
    this.#unsubscribe = parts.redis.subscribe({
      channels: [CHANGES_CHANNEL, processChannel(parts.process)],
      onMessage: (channel, text) => {
        this.#receive(channel, text);
      },
      onSubscribed: () => {
        this.#isSubscribed = true;
        parts.onSubscribed();
      },
      onLost: () => {
        this.#isSubscribed = false;
      },
    });
  }

  /** Probes from a node of another process. Throws UpstreamError when Redis cannot deliver question or answer. */
  async ask(
    process: string,
    { node, ...probe }: NodeProbe & { readonly node: number },
    deadline: Deadline,
  ): Promise<NodeProbeResult> {
    if (!this.#isSubscribed) throw new UpstreamError('unreachable', 'not subscribed to answers in Redis');
    const id = randomUUID();
    const result = this.#waitFor(id, deadline);
    const question = { kind: 'ask', id, asker: this.parts.process, node, ...probe } as const;
    try {
      const receivers = await this.#publish(process, { ...question, leftMs: leftOf(deadline) });
      // No subscriber: that process and its nodes are gone.
      if (receivers === 0) this.#settle(id, { kind: 'refused' });
    } catch (error) {
      this.#settle(id, { kind: 'silent' });
      throw new UpstreamError('unreachable', 'cannot publish to Redis', { cause: error });
    }
    return await result;
  }

  close(): void {
    this.#unsubscribe();
    for (const id of [...this.#pending.keys()]) this.#settle(id, { kind: 'silent' });
  }

  #waitFor(id: string, deadline: Deadline): Promise<NodeProbeResult> {
    return new Promise((answer) => {
      const timer = setTimeout(() => {
        this.#settle(id, { kind: 'silent' });
      }, leftOf(deadline));
      this.#pending.set(id, { answer, timer });
    });
  }

  /** Settles a pending question. Returns false if there is none. */
  #settle(id: string, result: NodeProbeResult): boolean {
    const pending = this.#pending.get(id);
    if (pending === undefined) return false;
    this.#pending.delete(id);
    clearTimeout(pending.timer);
    pending.answer(result);
    return true;
  }

  #receive(channel: string, text: string): void {
    try {
      if (channel === CHANGES_CHANNEL) this.parts.onChange(parseNodeChange(text));
      else this.#handle(MESSAGE.parse(JSON.parse(text)));
    } catch (error) {
      if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
      // For example a message of a server of another version.
      this.parts.log(`invalid message between processes: ${error.message}`);
    }
  }

  #handle(message: Message): void {
    if (message.kind === 'ask') void this.#reply(message);
    else if (!this.#settle(message.id, message.result)) this.parts.counts.add('late_answer');
  }

  async #reply({ id, asker, node, host, port, leftMs }: Question): Promise<void> {
    const result = await this.parts.run(node, { host, port }, deadlineIn(leftMs));
    try {
      await this.#publish(asker, { kind: 'answer', id, result });
    } catch (error) {
      this.parts.log(`answer of a node lost: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** Publishes a message to a process. Returns the number of receivers, 0 or 1. */
  #publish(process: string, message: unknown): Promise<number> {
    return this.parts.redis.publish(processChannel(process), JSON.stringify(message));
  }
}
