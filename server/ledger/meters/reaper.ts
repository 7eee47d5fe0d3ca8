import { z } from 'zod';
import type { RedisConnection, Scripts } from '../redis-connection.js';
import { holdKeys, prefixOfShard, SHARDS } from '../redis-keys.js';
import type { HeldPrice, Settlements } from './settlements.js';
import { parseJson } from '../../../pipeline/text/parse-json.js';

/** Time between two rounds. HOLD_MS and this stay below the two minutes to a refund (decision 6). */
const INTERVAL_MS = 5000;

const HELD = z
  .object({
    id: z.string(),
    shard: z.string(),
    keys: z.array(z.string()),
    isWide: z.boolean().optional(),
    credits: z.number(),
    day: z.string(),
  })
  // The script relies on these numbers.
  .refine(({ keys: { length }, isWide }) => length === 3 || (length === 1 && isWide !== true));

/** Returns up to 100 overdue holds of a shard: ids, then holds as JSON. KEYS: holds, deadlines. */
const OVERDUE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local ids = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, 100)
if #ids == 0 then return {} end
return {ids, redis.call('HMGET', KEYS[1], unpack(ids))}
`;

interface ReaperCommands {
  overdue(holds: string, deadlines: string): Promise<[] | [ids: string[], holds: (string | null)[]]>;
}

const REAPER_SCRIPTS: Scripts<ReaperCommands> = { overdue: { lua: OVERDUE, numberOfKeys: 2 } };

/**
 * Refunds the holds of dead processes. Several reapers may run: each hold is refunded once, by the one that removes it.
 */
export class Reaper {
  readonly #commands: ReaperCommands;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly redis: RedisConnection,
    private readonly settlements: Settlements,
    private readonly log: (line: string) => void = () => undefined,
  ) {
    this.#commands = redis.withScripts<ReaperCommands>(REAPER_SCRIPTS);
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.#round(), INTERVAL_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /**
   * Refunds all overdue holds. Returns how many this reaper refunded. Shards of a
   * lost master are left out. Rejects when a command fails.
   */
  async sweep(): Promise<number> {
    const shards = Array.from({ length: SHARDS }, (_, shard) => prefixOfShard(shard));
    const reachable = shards.filter((shard) => this.redis.isReadyFor(shard));
    const counts = await Promise.all(reachable.map((shard) => this.#sweepShard(shard)));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async #round(): Promise<void> {
    try {
      const count = await this.sweep();
      if (count > 0) this.log(`refunded ${count} holds of calls that never ended`);
    } catch (error) {
      // The next round handles the remaining holds.
      this.redis.failed(error);
    }
  }

  async #sweepShard(shard: string): Promise<number> {
    const [ids = [], holds = []] = await this.redis.watched(this.#commands.overdue(...holdKeys(shard)));
    const settled = await Promise.all(ids.map((id, i) => this.#refund(shard, id, holds[i] ?? null)));
    return settled.filter((isRefunded) => isRefunded).length;
  }

  /** Returns whether this reaper refunded the hold. Removes damaged holds, and deadlines without a hold. */
  async #refund(shard: string, id: string, hold: string | null): Promise<boolean> {
    const held = hold === null ? undefined : parseHeld(hold);
    if (held !== undefined) return this.settlements.settle({ ...held, id, shard }, false);
    const isRemoved = await this.settlements.settle({ id, shard, keys: [shard], credits: 0, day: '' }, false);
    if (isRemoved) this.log(`removed an unreadable hold: ${JSON.stringify(hold?.slice(0, 200))}`);
    return false;
  }
}

/** Returns undefined for text that is not a hold. */
function parseHeld(json: string): HeldPrice | undefined {
  return HELD.safeParse(parseJson(json)).data;
}
