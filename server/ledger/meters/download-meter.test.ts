import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import t from 'tap';
import type { Ledger } from '../ledger.js';
import type { DatasetName } from '../../release/snapshot.js';
import type { GrantedDownload } from './download-meter.js';
import { parseMemory } from '../redis-memory.js';
import { newLedgerForTest } from '../testing/ledger.js';

t.test(
  'decision 39: 5 per hour and 30 per day, per account and dataset; both counts include the download',
  async (t) => {
    let now = Date.parse('2026-11-21T10:59:00Z');
    const { ledger } = await newLedgerForTest(t, { now: () => now });
    const { downloads } = ledger;
    for (let hour = 1; hour <= 6; hour++) {
      for (let i = 1; i <= 5; i++) {
        t.match(await downloads.take(1, 'mmdb'), {
          hourUsed: i,
          dayUsed: (hour - 1) * 5 + i,
          refused: undefined,
        });
      }
      if (hour === 1) {
        t.same(await downloads.take(1, 'mmdb'), {
          hourUsed: 5,
          dayUsed: 5,
          refused: { limit: 5, resetAt: Date.parse('2026-11-21T11:00:00Z') / 1000 },
        });
        t.notOk((await downloads.take(1, 'asn')).refused, 'another dataset has its own limit');
        t.notOk((await downloads.take(2, 'mmdb')).refused, 'another account has its own limit');
      }
      now += 3_600_000;
    }
    t.match(await downloads.take(1, 'mmdb'), {
      dayUsed: 30,
      refused: { limit: 30, resetAt: Date.parse('2026-11-22T00:00:00Z') / 1000 },
    });
  },
);

t.test(
  'decision 39: a download that failed before its first byte is refunded once, to the hour and day that were charged',
  async (t) => {
    let now = Date.parse('2026-11-21T23:59:59Z');
    const { ledger } = await newLedgerForTest(t, { now: () => now });
    const before = await granted(ledger, 'mmdb');
    now += 2000;
    t.match(await granted(ledger, 'mmdb'), { hourUsed: 1, dayUsed: 1 });
    await before.refund();
    await before.refund();
    t.match(await granted(ledger, 'mmdb'), { hourUsed: 2, dayUsed: 2 }, 'the new day is unchanged');
    t.match(await ledger.usage.usageOf(1), { today: 2, monthTotal: 2 }, 'its usage is unchanged');
    now -= 2000;
    t.match(await granted(ledger, 'mmdb'), { hourUsed: 1, dayUsed: 1 }, 'the old day is refunded');
    await granted(ledger, 'asn');
    const lost = await granted(ledger, 'mmdb');
    await Promise.all([lost.refund(), lost.refund()]);
    t.match(await granted(ledger, 'mmdb'), { hourUsed: 2, dayUsed: 2 }, 'refunded once');
  },
);

/** Takes a download that must be granted. */
async function granted({ downloads }: Ledger, dataset: DatasetName): Promise<GrantedDownload> {
  const admission = await downloads.take(1, dataset);
  assert(!admission.refused);
  return admission;
}

t.test(
  'decision 9: usage lists exactly 30 days of the time zone, ascending; a download counts as one call',
  async (t) => {
    let now = Date.parse('2026-10-20T12:00:00Z');
    const { ledger } = await newLedgerForTest(t, { now: () => now, timeZone: 'Asia/Shanghai' });
    for (let day = 0; day < 45; day++) {
      await ledger.downloads.take(9, 'mmdb');
      now += 86_400_000;
    }
    now = Date.parse('2026-12-03T16:30:00Z');
    const { today, monthTotal, daily } = await ledger.usage.usageOf(9);
    t.equal(daily.length, 30);
    t.same(daily.at(-1), { date: '2026-12-04', count: 0 }, 'it is after midnight in Shanghai');
    t.same(daily[0], { date: '2026-11-05', count: 1 });
    t.same([today, monthTotal], [0, 29]);
    t.same((await ledger.usage.usageOf(10)).monthTotal, 0);
  },
);

t.test('decisions 39 and 70: a full Redis makes room for a refund', async (t) => {
  const { ledger, url } = await newLedgerForTest(t);
  const redis = new Redis(url);
  t.teardown(() => {
    redis.disconnect();
  });
  const taken = await ledger.downloads.take(1, 'mmdb');
  assert(taken.refused === undefined);
  await redis.set('ipatlas:whois:1:domain example.com', randomBytes(1_000_000));
  const { usedBytes } = parseMemory(await redis.info('memory'));
  await redis.config('SET', 'maxmemory', String(usedBytes - 300_000));
  await t.rejects(redis.set('more', 'x'), /OOM/);
  await taken.refund();
  t.match(await ledger.downloads.take(1, 'mmdb'), { hourUsed: 1, dayUsed: 1 });
});
