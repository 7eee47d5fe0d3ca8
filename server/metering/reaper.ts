import { z } from 'zod';
import type { MeteringRedis } from './metering-redis.js';
import { holdKeys, prefixOfShard, SHARDS } from './redis-keys.js';
import type { HeldPrice, Settlements } from './settlements.js';

/** Between two rounds; with HOLD_MS less than the two minutes in which a hold is given back (ruling 6). */
const INTERVAL_MS = 5000;

const HELD = z.object({
  id: z.string(),
  shard: z.string(),
  /** Day, and of accounts credits and usage: any other number would upset what goes to Redis with it. */
  keys: z.array(z.string()).refine(({ length }) => length === 1 || length === 3),
  credits: z.number(),
  day: z.string(),
});

/**
 * Gives back the holds of processes that died. Any number of reapers may run: a hold is given back by whoever removes
 * it.
 */
export class Reaper {
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly redis: MeteringRedis,
    private readonly settlements: Settlements,
    private readonly log: (line: string) => void = () => undefined,
  ) {}

  start(): void {
    this.#timer ??= setInterval(() => void this.#round(), INTERVAL_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Gives back all that is overdue; how many this reaper gave back. Rejects when Redis cannot be asked. */
  async sweep(): Promise<number> {
    const shards = Array.from({ length: SHARDS }, (_, shard) => this.#sweepShard(prefixOfShard(shard)));
    const counts = await Promise.all(shards);
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async #round(): Promise<void> {
    if (!this.redis.isReady) return;
    try {
      const count = await this.sweep();
      if (count > 0) this.log(`gave back ${count} holds of calls that never ended`);
    } catch (error) {
      // The next round finds what this one has left.
      this.redis.failed(error);
    }
  }

  async #sweepShard(shard: string): Promise<number> {
    const [ids = [], holds = []] = await this.redis.watched(this.redis.client.overdue(...holdKeys(shard)));
    const settled = await Promise.all(ids.map((id, i) => this.#giveBack(shard, id, holds[i] ?? null)));
    return settled.filter((mine) => mine).length;
  }

  /** Whether this reaper has given it back. A deadline without a hold, and a damaged hold, are removed. */
  async #giveBack(shard: string, id: string, hold: string | null): Promise<boolean> {
    const held = hold === null ? undefined : parseHeld(hold);
    if (held !== undefined) return this.settlements.settle({ ...held, id, shard }, false);
    const isRemoved = await this.settlements.settle({ id, shard, keys: [shard], credits: 0, day: '' }, false);
    if (isRemoved) this.log(`dropped a hold that cannot be read: ${JSON.stringify(hold?.slice(0, 200))}`);
    return false;
  }
}

/** Absent for what no version of this server wrote. */
function parseHeld(json: string): HeldPrice | undefined {
  try {
    return HELD.safeParse(JSON.parse(json)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
