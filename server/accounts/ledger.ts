import type { RedisAddress } from '../config.js';
import { AdmissionBatch } from '../metering/admission-batch.js';
import { Calendar } from '../metering/calendar.js';
import type { DownloadMeter } from '../metering/download-meter.js';
import { LocalMeter } from '../metering/local-meter.js';
import type { Meter } from '../metering/meter.js';
import { MeteringRedis } from '../metering/metering-redis.js';
import { Reaper } from '../metering/reaper.js';
import { RedisDownloadMeter } from '../metering/redis-download-meter.js';
import { RedisMeter } from '../metering/redis-meter.js';
import { RedisUsage } from '../metering/redis-usage.js';
import { Settlements } from '../metering/settlements.js';
import type { UsageReader } from '../metering/usage.js';
import type { AccountStore } from './account-store.js';
import { hearKeyChanges } from './key-changes.js';
import { RedisAccounts } from './redis-accounts.js';

/** Everything that is kept in Redis, over two connections. */
export interface Ledger {
  readonly accounts: AccountStore;
  readonly meter: Meter;
  readonly usage: UsageReader;
  readonly downloads: DownloadMeter;
  /** Whether Redis answers. */
  isReady(): boolean;
  /** Waits for Redis; false when it takes longer. */
  ready(patienceMs: number): Promise<boolean>;
  /** Gives back what calls of this process still hold, before it is closed. Never rejects, nor waits for a Redis that is gone. */
  giveBack(): Promise<void>;
  close(): void;
}

/** How a ledger is opened. */
export interface LedgerOptions {
  readonly redis: RedisAddress;
  /** IANA name, else RangeError. */
  readonly timeZone: string;
  readonly log?: (line: string) => void;
  /** Milliseconds since 1970; on Redis's clock by default, so that all machines agree on the day. */
  readonly now?: () => number;
  /** How long a hold may stay open; for tests. */
  readonly holdMs?: number;
}

/** Opens the ledger, gives back the holds of dead processes from now on, and hears of changed keys. */
export function openLedger({ redis: address, timeZone, log, now, holdMs }: LedgerOptions): Ledger {
  const redis = new MeteringRedis(address, log);
  const calendar = new Calendar(timeZone, now ?? (() => redis.now()));
  const batch = new AdmissionBatch(redis);
  const settlements = new Settlements(batch);
  const local = new LocalMeter(calendar);
  const accounts = new RedisAccounts(redis, calendar);
  const reaper = new Reaper(redis, settlements, log);
  const meter = new RedisMeter({
    ...{ batch, settlements, local, calendar },
    ...(holdMs === undefined ? {} : { holdMs }),
  });
  const stopListening = hearKeyChanges(redis, accounts);
  reaper.start();
  return {
    accounts,
    meter,
    usage: new RedisUsage(redis, calendar),
    downloads: new RedisDownloadMeter(redis, calendar),
    isReady: () => redis.isReady,
    ready: (patienceMs) => redis.ready(patienceMs),
    giveBack: () => meter.giveBack(),
    close: () => {
      reaper.stop();
      settlements.close();
      stopListening();
      redis.close();
    },
  };
}
