import type { RedisAddress } from '../config.js';
import type { AccountStore } from './accounts/account.js';
import { RedisAccounts } from './accounts/redis-accounts.js';
import { Calendar } from './calendar.js';
import { openAdmissions } from './meters/admission-lanes.js';
import { RedisDownloadMeter, type DownloadMeter } from './meters/download-meter.js';
import { LocalMeter } from './meters/local-meter.js';
import type { Meter } from './meters/meter.js';
import { RedisProbeTargetMeter, type ProbeTargetMeter } from './meters/probe-target-meter.js';
import { Reaper } from './meters/reaper.js';
import { RedisMeter } from './meters/redis-meter.js';
import { Settlements } from './meters/settlements.js';
import { RedisUsage, type UsageReader } from './meters/usage.js';
import { openConnection } from './open-connection.js';
import { RedisMemory, type MemoryUse } from './redis-memory.js';

/** Accounts and meters in Redis, over two connections. */
export interface Ledger {
  readonly accounts: AccountStore;
  readonly meter: Meter;
  readonly usage: UsageReader;
  readonly downloads: DownloadMeter;
  readonly probeTargets: ProbeTargetMeter;
  /** Returns the memory of Redis; undefined while it is unknown. */
  memory(): MemoryUse | undefined;
  /** Returns whether Redis has memory for accounts only, so nothing else may be written (decision 70). */
  isMemoryTight(): boolean;
  /** Returns the number of connected servers of Redis: masters of a cluster, else at most 1. */
  servers(): number;
  /** Returns whether Redis is available, in a cluster all masters. */
  isReady(): boolean;
  /** Waits for Redis. Returns false when that takes longer than `patienceMs`. */
  ready(patienceMs: number): Promise<boolean>;
  /**
   * Refunds the open holds of this process, before `close`. Never rejects and does not wait for an unavailable Redis.
   */
  refundOpenHolds(): Promise<void>;
  close(): void;
}

/** Options of a ledger. */
export interface LedgerOptions {
  readonly redis: RedisAddress;
  /** An IANA name. */
  readonly timeZone: string;
  readonly log?: (line: string) => void;
  /** Milliseconds since 1970. Redis's clock by default, so all machines agree on the day. */
  readonly now?: () => number;
  /** How long a hold may stay open. Set by tests. */
  readonly holdMs?: number;
}

/**
 * Opens the ledger. Refunds the holds of dead processes and follows changes of keys until `close`. Throws RangeError
 * for an unknown time zone.
 */
export function openLedger({ redis: address, timeZone, log, now, holdMs }: LedgerOptions): Ledger {
  const redis = openConnection(address, log);
  const calendar = new Calendar(timeZone, now ?? (() => redis.now()));
  const batch = openAdmissions(redis);
  const settlements = new Settlements(batch);
  const local = new LocalMeter(calendar);
  const memory = new RedisMemory(redis, log);
  const accounts = new RedisAccounts(redis, calendar, memory);
  const reaper = new Reaper(redis, settlements, log);
  const meter = new RedisMeter({
    batch,
    settlements,
    local,
    memory,
    calendar,
    ...(holdMs === undefined ? {} : { holdMs }),
  });
  const stopFollowing = accounts.followChanges();
  reaper.start();
  memory.start();
  return {
    accounts,
    meter,
    usage: new RedisUsage(redis, calendar),
    probeTargets: new RedisProbeTargetMeter(redis, calendar, memory),
    downloads: new RedisDownloadMeter(redis, calendar, memory),
    memory: () => memory.use,
    isMemoryTight: () => memory.isTight,
    servers: () => redis.servers().length,
    isReady: () => redis.isReady,
    ready: (patienceMs) => redis.ready(patienceMs),
    refundOpenHolds: () => meter.refundOpenHolds(),
    close: () => {
      reaper.stop();
      memory.stop();
      settlements.close();
      stopFollowing();
      redis.close();
    },
  };
}
