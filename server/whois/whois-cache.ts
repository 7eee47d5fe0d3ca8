import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { z } from 'zod';
import { before, deadlineIn } from '../deadline.js';
import { MeteringRedis } from '../metering/metering-redis.js';
import type { RedisAddress } from '../config.js';
import { registrationSchema } from './whois-record-schema.js';
import type { WhoisAnswer } from './whois-record.js';

/**
 * What registries have said, in Redis, for all processes. It is a help and no truth: without Redis, or with one that is
 * slow, there is nothing in it, and an entry that is not what was written is not there.
 */
export class WhoisCache {
  readonly #redis: MeteringRedis;

  constructor(address: RedisAddress) {
    // The ledger's connection tells of a Redis that is gone.
    this.#redis = new MeteringRedis(address);
  }

  /** Resolves when commands can be sent; for tests. */
  ready(patienceMs: number): Promise<boolean> {
    return this.#redis.ready(patienceMs);
  }

  /** Never throws, and takes no longer than PATIENCE_MS. */
  async read(key: string): Promise<WhoisAnswer | undefined> {
    if (!this.#redis.isReady) return undefined;
    // Neither a Redis that fails nor what somebody else wrote there is worth an error.
    return await withinPatience(this.#read(key).catch(() => undefined));
  }

  /** Keeps an answer, unless it is too large. Never throws; calls do not wait for it. */
  async write(key: string, answer: WhoisAnswer, ttlSeconds: number): Promise<void> {
    if (!this.#redis.isReady) return;
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

/** Beyond that asking the registry anew costs little more. */
const PATIENCE_MS = 250;
/** Answers of registries are 2 to 20 kB, and a fifth of that packed. */
const MAX_ENTRY_BYTES = 65_536;
const MAX_TEXT_BYTES = 1_000_000;

const pack = promisify(brotliCompress);
const unpack = promisify(brotliDecompress);

const answerSchema: z.ZodType<WhoisAnswer> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('found'), registration: registrationSchema }),
  z.strictObject({ kind: z.literal('absent'), raw: z.string() }),
  z.strictObject({ kind: z.literal('no-registry') }),
]);
const entrySchema = z.strictObject({ key: z.string(), answer: answerSchema });

/** The number goes up when what is kept looks otherwise. */
function redisKey(key: string): string {
  return `ipatlas:whois:1:${key}`;
}

function withinPatience<T>(work: Promise<T>): Promise<T | undefined> {
  return before(deadlineIn(PATIENCE_MS), work, () => undefined);
}
