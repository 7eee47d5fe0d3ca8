import { z } from 'zod';
import type { MeteringRedis } from './metering-redis.js';
import { holdKeys, prefixOfShard, SHARDS } from './redis-keys.js';
import type { HeldPrice, Settlements } from './settlements.js';

/** Between two rounds; with HOLD_MS less than the two minutes in which a hold is given back (ruling 6). */
const INTERVAL_MS = 5000;

const HELD = z.object({
  id: z.string(),
  shard: z.string(),
  keys: z.array(z.string()).min(1),
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
    const settled = await Promise.all(
      ids.map((id, i) => this.settlements.settle(heldOf(holds[i] ?? null, id, shard), false)),
    );
    return settled.filter((mine) => mine).length;
  }
}

/** A deadline without a hold is removed like one with: nothing is given back for it. */
function heldOf(hold: string | null, id: string, shard: string): HeldPrice {
  return hold === null ? { id, shard, keys: [shard], credits: 0, day: '' } : HELD.parse(JSON.parse(hold));
}
