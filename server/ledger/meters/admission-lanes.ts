import type { RedisConnection } from '../redis-connection.js';
import { AdmissionBatch, type Admissions, type Answered } from './admission-batch.js';
import { ADMISSION_SCRIPTS, type AdmissionCommands } from './admission-script.js';

/** Opens the sender of operations: one batch for a Redis server, or one for each hash tag in a cluster. */
export function openAdmissions(redis: RedisConnection): Admissions {
  const commands = redis.withScripts<AdmissionCommands>(ADMISSION_SCRIPTS);
  return redis.isCluster
    ? new AdmissionLanes((tag) => new AdmissionBatch(redis, commands, tag))
    : new AdmissionBatch(redis, commands, '');
}

/** Divides operations among batches, because in a cluster all keys of a script have one slot. */
class AdmissionLanes implements Admissions {
  /** At most SHARDS. */
  readonly #batches = new Map<string, AdmissionBatch>();

  constructor(private readonly open: (tag: string) => AdmissionBatch) {}

  add(keys: readonly string[], args: readonly string[], answered: Answered): void {
    const key = keys[0]!;
    const tag = key.slice(0, key.indexOf('}') + 1);
    let batch = this.#batches.get(tag);
    if (batch === undefined) this.#batches.set(tag, (batch = this.open(tag)));
    batch.add(keys, args, answered);
  }
}
