import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { z } from 'zod';
import { before, deadlineIn } from '../deadline.js';
import { openConnection } from '../ledger/open-connection.js';
import type { RedisConnection } from '../ledger/redis-connection.js';
import type { RedisAddress } from '../config.js';
import { registrationSchema } from './whois-record-schema.js';
import type { WhoisAnswer } from './whois-record.js';

/**
 * Caches answers in Redis for all processes. Optional by design: if Redis is down or slow, reads find nothing. An
 * invalid entry counts as missing.
 */
export class WhoisCache {
  readonly #redis: RedisConnection;

  /** Nothing is written while `isMemoryTight` returns true (decision 70). */
  constructor(
    address: RedisAddress,
    private readonly isMemoryTight: () => boolean = () => false,
  ) {
    // The ledger's connection already reports a lost Redis.
    this.#redis = openConnection(address);
  }

  /** Resolves when commands can be sent. For tests. */
  ready(patienceMs: number): Promise<boolean> {
    return this.#redis.ready(patienceMs);
  }

  /** Reads an answer. Never throws and takes at most PATIENCE_MS. */
  async read(key: string): Promise<WhoisAnswer | undefined> {
    if (!this.#redis.isReadyFor(redisKey(key))) return undefined;
    // A failing Redis or a foreign value under the key counts as a miss.
    return await withinPatience(this.#read(key).catch(() => undefined));
  }

  /**
   * Stores an answer unless it is too large or memory is tight. Never throws and logs nothing. Callers do not wait for
   * it.
   */
  async write(key: string, answer: WhoisAnswer, ttlSeconds: number): Promise<void> {
    if (!this.#redis.isReadyFor(redisKey(key)) || this.isMemoryTight()) return;
    await withinPatience(this.#write(key, answer, ttlSeconds).catch(() => undefined));
  }

  close(): void {
    this.#redis.close();
  }

  async #read(key: string): Promise<WhoisAnswer | undefined> {
    const packed = await this.#redis.watched(this.#redis.client.getBuffer(redisKey(key)));
    if (packed === null || packed.length > MAX_ENTRY_BYTES) return undefined;
    const text = await unpack(packed, { maxOutputLength: MAX_TEXT_BYTES });
    const entry = entrySchema.safeParse(JSON.parse(text.toString('utf8')));
    return entry.success && entry.data.key === key ? entry.data.answer : undefined;
  }

  async #write(key: string, answer: WhoisAnswer, ttlSeconds: number): Promise<void> {
    const text = Buffer.from(JSON.stringify({ key, answer }));
    if (text.length > MAX_TEXT_BYTES) return;
    const packed = await pack(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
    if (packed.length > MAX_ENTRY_BYTES) return;
    await this.#redis.watched(this.#redis.client.set(redisKey(key), packed, 'EX', ttlSeconds));
  }
}

/** A query to a server takes little longer than this. */
const PATIENCE_MS = 250;
/** Answers are 2 to 20 kB of text and compress to about a fifth. */
const MAX_ENTRY_BYTES = 65_536;
const MAX_TEXT_BYTES = 1_000_000;

const pack = promisify(brotliCompress);
const unpack = promisify(brotliDecompress);

const answerSchema: z.ZodType<WhoisAnswer> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('found'), registration: registrationSchema }),
  z.strictObject({ kind: z.literal('absent'), raw: z.string() }),
  z.strictObject({ kind: z.literal('no-server') }),
]);
const entrySchema = z.strictObject({ key: z.string(), answer: answerSchema });

/** The number in the key increases when the format of entries changes. */
function redisKey(key: string): string {
  return `ipatlas:whois:1:${key}`;
}

function withinPatience<T>(work: Promise<T>): Promise<T | undefined> {
  return before(deadlineIn(PATIENCE_MS), work, () => undefined);
}
