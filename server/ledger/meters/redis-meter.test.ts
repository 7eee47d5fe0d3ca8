import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import t, { type Test } from 'tap';
import { openAdmissions } from './admission-lanes.js';
import type { Admission, Hold } from './meter.js';
import { WatchedRedis } from '../watched-redis.js';
import { Reaper } from './reaper.js';
import { creditsKey } from '../redis-keys.js';
import { Settlements } from './settlements.js';
import { newLedgerForTest, openForTest, sourceOf, subjectOf } from '../testing/ledger.js';

const CALLER = fileURLToPath(new URL('../testing/caller-process.js', import.meta.url));
const ONE = { credits: 1 };

/** Starts a process that calls. Returns it, still running, with the number of admitted calls. */
async function callers(t: Test, url: string, kind: string, count: number) {
  const child = spawn(process.execPath, [CALLER, url, kind, String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, admitted: Number(line.toString()) };
}

function plain(t: Test, url: string): Redis {
  const redis = new Redis(url);
  t.teardown(() => {
    redis.disconnect();
  });
  return redis;
}

function dayKeyOf(redis: Redis): Promise<string[]> {
  return redis.keys('*d:account:*');
}

/** `YYYYMM` in UTC. */
function thisMonth(): string {
  return new Date().toISOString().slice(0, 7).replace('-', '');
}

async function dayUsed(redis: Redis): Promise<number> {
  const [key] = await dayKeyOf(redis);
  return key === undefined ? 0 : Number(await redis.get(key));
}

t.test(
  'decision 3: the minute counts down, refuses calls over its limit, and never shows less than 0',
  async (t) => {
    const { ledger } = await newLedgerForTest(t);
    const subject = sourceOf('192.0.2.1', { requestsPerMinute: 3 });
    const before = Math.floor(Date.now() / 1000);
    t.equal((await ledger.meter.peek(subject)).window.remaining, 3);
    for (const remaining of [2, 1, 0]) {
      const { window, refused } = await ledger.meter.count(subject);
      t.equal(refused, undefined);
      t.equal(window.remaining, remaining);
      t.ok(window.reset >= before + 60 && window.reset <= Math.ceil(Date.now() / 1000) + 60);
    }
    for (let i = 0; i < 3; i++)
      t.match(await ledger.meter.count(subject), { refused: 'minute', window: { remaining: 0 } });
    t.match(await ledger.meter.charge(subject, ONE), { refused: 'minute' });
    t.match(await ledger.meter.peek(subject), { window: { limit: 3, remaining: 0 } });
    t.notOk('refused' in (await ledger.meter.peek(subject)), 'peek never refuses');
    t.notOk((await ledger.meter.count(sourceOf('192.0.2.2'))).refused, 'another source has its own window');
    t.notOk(
      (await ledger.meter.count({ ...subject, bucket: 'bgp' })).refused,
      'another bucket has its own window',
    );
  },
);

t.test('decision 3: a window lasts a minute from its first request', async (t) => {
  const { ledger, url } = await newLedgerForTest(t);
  const redis = plain(t, url);
  const subject = sourceOf('192.0.2.1', { requestsPerMinute: 1 });
  await ledger.meter.count(subject);
  const [key] = await redis.keys('*m:*');
  await redis.pexpire(key!, 20_000);
  const { window } = await ledger.meter.count(subject);
  t.ok(window.reset <= Math.ceil(Date.now() / 1000) + 20, 'later requests do not extend it');
  await redis.pexpire(key!, 1);
  await sleep(20);
  t.notOk((await ledger.meter.count(subject)).refused, 'a new window opens');
});

t.test(
  'decision 5: checks minute, then day, then credits; a refused call costs only the minute',
  async (t) => {
    const { ledger, url } = await newLedgerForTest(t);
    const redis = plain(t, url);
    const charge = (numbers: object, credits: number) =>
      ledger.meter.charge(subjectOf(1, numbers), { credits });
    t.match(await charge({ creditsPerMonth: 3 }, 5), { refused: 'credits' });
    t.equal(await dayUsed(redis), 0, 'a call refused for credits does not count for the day');
    t.notOk((await charge({ creditsPerMonth: 3 }, 2)).refused);
    t.match(
      await charge({ creditsPerMonth: 3, requestsPerDay: 1 }, 5),
      { refused: 'day' },
      'day before credits',
    );
    t.match(await charge({ requestsPerDay: 1, requestsPerMinute: 2 }, 5), { refused: 'minute' });
    t.equal(await dayUsed(redis), 1);
    t.equal(Number(await redis.get((await redis.keys('*c:account:*'))[0]!)), 1);
    t.equal(
      (await ledger.usage.usageOf(1)).today,
      1,
      'decision 9: one per successful call, whatever its price',
    );
  },
);

t.test('equal calls of one moment are counted one by one, beside those of others', async (t) => {
  const { ledger } = await newLedgerForTest(t);
  const often = sourceOf('192.0.2.7', { requestsPerMinute: 5 });
  const once = sourceOf('192.0.2.8', { requestsPerMinute: 5 });
  const [other, ...found] = await Promise.all([
    ledger.meter.count(once),
    ...Array.from({ length: 8 }, () => ledger.meter.count(often)),
  ]);
  t.same([other.window.remaining, other.refused], [4, undefined]);
  t.same(
    found.map(({ window, refused }) => [window.remaining, refused]),
    [4, 3, 2, 1, 0].map((left): unknown[] => [left, undefined]).concat(Array(3).fill([0, 'minute'])),
  );
});

t.test('decision 6: of 2,000 calls by 4 processes, 1,000 credits admit exactly 1,000', async (t) => {
  const { ledger, url } = await newLedgerForTest(t);
  const counts = await Promise.all(Array.from({ length: 4 }, () => callers(t, url, 'charge', 500)));
  t.equal(
    counts.reduce((sum, { admitted }) => sum + admitted, 0),
    1000,
  );
  t.equal((await ledger.usage.usageOf(17)).today, 1000);
  t.match(await ledger.meter.charge(subjectOf(17), ONE), { refused: 'credits' });
});

t.test('decision 39: a quota of 5 downloads admits exactly 5 from 4 processes', async (t) => {
  const { url } = await newLedgerForTest(t);
  const counts = await Promise.all(Array.from({ length: 4 }, () => callers(t, url, 'download', 20)));
  t.equal(
    counts.reduce((sum, { admitted }) => sum + admitted, 0),
    5,
  );
});

t.test('decision 6: a failed call costs nothing; a successful one is settled once', async (t) => {
  const { ledger, url } = await newLedgerForTest(t);
  const redis = plain(t, url);
  const subject = subjectOf(2);
  const reserved = await Promise.all(
    Array.from({ length: 20 }, () => ledger.meter.reserve(subject, { credits: 7 })),
  );
  t.equal(await dayUsed(redis), 20);
  await Promise.all(
    reserved.map(async ({ hold }, i) => {
      await hold!.settle(i < 5);
      await hold!.settle(true);
      await hold!.settle(false);
    }),
  );
  t.equal(await dayUsed(redis), 5);
  const [key] = await redis.keys('*c:account:*');
  t.equal(Number(await redis.get(key!)), 1000 - 5 * 7);
  t.equal((await ledger.usage.usageOf(2)).today, 5);
  t.same(await redis.keys('*holds'), [], 'no hold is left');
  t.same(await redis.keys('*deadlines'), []);
});

t.test('decision 6: the holds of a killed process are refunded once by several reapers', async (t) => {
  const { url } = await newLedgerForTest(t);
  const redis = plain(t, url);
  const { child, admitted } = await callers(t, url, 'reserve', 250);
  t.equal(admitted, 250);
  child.kill('SIGKILL');
  t.equal(await dayUsed(redis), 250);
  const reapers = await Promise.all(
    [1, 2, 3].map(async () => {
      const own = new WatchedRedis({ url });
      t.teardown(() => {
        own.close();
      });
      await own.ready(10_000);
      return new Reaper(own, new Settlements(openAdmissions(own)));
    }),
  );
  let refunded = 0;
  while (refunded < 250) {
    const counts = await Promise.all(reapers.map((reaper) => reaper.sweep()));
    refunded += counts.reduce((sum, count) => sum + count, 0);
  }
  t.equal(refunded, 250);
  t.equal(await dayUsed(redis), 0);
  const [key] = await redis.keys('*c:account:*');
  t.equal(Number(await redis.get(key!)), 1000);
  t.equal(await reapers[0]!.sweep(), 0, 'nothing is overdue');
});

t.test('an unreadable hold is removed, logged once, and does not delay other holds', async (t) => {
  const { ledger, url } = await newLedgerForTest(t, { holdMs: 0 });
  const redis = plain(t, url);
  await ledger.meter.reserve(subjectOf(1), ONE);
  const [deadlines = ''] = await redis.keys('*deadlines');
  const holds = deadlines.replace('deadlines', 'holds');
  const shard = deadlines.replace('deadlines', '');
  const twoKeys = { id: 'two', shard, keys: ['a', 'b'], credits: 1, day: '20261121' };
  for (const [id, hold] of [
    ['bad', '{"id":'],
    ['two', JSON.stringify(twoKeys)],
  ] as const) {
    await redis.hset(holds, id, hold);
    await redis.zadd(deadlines, 1, id);
  }
  const own = new WatchedRedis({ url });
  t.teardown(() => {
    own.close();
  });
  await own.ready(10_000);
  const lines: string[] = [];
  const reaper = new Reaper(own, new Settlements(openAdmissions(own)), (line) => lines.push(line));
  t.equal(await reaper.sweep(), 1, 'the readable hold is refunded');
  t.equal(await dayUsed(redis), 0);
  t.equal(await redis.exists(holds, deadlines), 0);
  t.equal(await reaper.sweep(), 0);
  t.equal(lines.length, 2);
  t.match(lines[0], /^removed an unreadable hold: "/);
});

t.test('a reaper leaves holds before their deadline alone', async (t) => {
  const { ledger, url } = await newLedgerForTest(t);
  const { hold } = await ledger.meter.reserve(subjectOf(3), ONE);
  const own = new WatchedRedis({ url });
  t.teardown(() => {
    own.close();
  });
  await own.ready(10_000);
  t.equal(await new Reaper(own, new Settlements(openAdmissions(own))).sweep(), 0);
  await hold!.settle(true);
  t.equal((await ledger.usage.usageOf(3)).today, 1);
});

t.test(
  'decision 6: when midnight and the month pass before a call fails, the day and month charged are refunded',
  async (t) => {
    let now = Date.parse('2026-11-30T23:59:59Z');
    const { ledger, url } = await newLedgerForTest(t, { now: () => now });
    const redis = plain(t, url);
    const subject = subjectOf(4);
    const { hold } = await ledger.meter.reserve(subject, { credits: 10 });
    now += 2000;
    await ledger.meter.charge(subject, { credits: 1 });
    await hold!.settle(false);
    const valueOf = async (pattern: string): Promise<number> =>
      Number(await redis.get((await redis.keys(pattern))[0]!));
    t.equal(await valueOf('*d:account:account:4:20261130'), 0);
    t.equal(await valueOf('*d:account:account:4:20261201'), 1);
    t.equal(Number(await redis.get(creditsKey(4, '202611'))), 1000);
    t.equal(
      Number(await redis.get(creditsKey(4, '202612'))),
      999,
      'decision 4: a new month begins with the plan’s amount',
    );
  },
);

t.test('decision 5: reserveCounted charges the price and does not count the minute again', async (t) => {
  const { ledger, url } = await newLedgerForTest(t);
  const redis = plain(t, url);
  const { meter } = ledger;
  const subject = subjectOf(7, { requestsPerMinute: 1, requestsPerDay: 2, creditsPerMonth: 10 });
  t.match(await meter.count(subject), { window: { remaining: 0 } });
  const failing = await meter.reserveCounted(subject, { credits: 4 });
  t.match(failing, { window: { limit: 1, remaining: 0 } });
  t.notOk(failing.refused, 'this call has used the one request of the minute');
  t.equal(Number(await redis.get(creditsKey(7, thisMonth()))), 6);
  await failing.hold!.settle(false);
  const paid = await meter.reserveCounted(subject, { credits: 10 });
  await paid.hold!.settle(true);
  t.equal((await ledger.usage.usageOf(7)).today, 1);
  const broke = await meter.reserveCounted(subject, ONE);
  t.match(broke, { refused: 'credits' });
  t.notOk(broke.hold);
  t.equal(await dayUsed(redis), 1);
  await meter.reserveCounted(subject, { credits: 0 });
  t.match(await meter.reserveCounted(subject, { credits: 0 }), { refused: 'day' });
  t.equal((await meter.peek(subject)).window.remaining, 0);
  t.match(await meter.count(subject), { refused: 'minute' });
});

t.test('decision 5: chargeCounted charges a ready answer and does not count the minute again', async (t) => {
  const { ledger, url } = await newLedgerForTest(t);
  const redis = plain(t, url);
  const { meter } = ledger;
  const subject = subjectOf(7, { requestsPerMinute: 1, requestsPerDay: 2, creditsPerMonth: 10 });
  t.match(await meter.count(subject), { window: { remaining: 0 } });
  const paid = await meter.chargeCounted(subject, { credits: 10 });
  t.strictSame([paid.refused, paid.window.limit, paid.window.remaining], [undefined, 1, 0]);
  t.equal((await ledger.usage.usageOf(7)).today, 1, 'counted in usage at once');
  t.match(await meter.chargeCounted(subject, ONE), { refused: 'credits' });
  t.equal(Number(await redis.get(creditsKey(7, thisMonth()))), 0);
  await meter.chargeCounted(subject, { credits: 0 });
  t.match(await meter.chargeCounted(subject, { credits: 0 }), { refused: 'day' });
  t.equal(await dayUsed(redis), 2);
  t.equal((await meter.count(subject)).refused, 'minute');
});

t.test('a refund never makes a day negative, and does not recreate an expired day', async (t) => {
  const { ledger, url } = await newLedgerForTest(t);
  const redis = plain(t, url);
  const { hold } = await ledger.meter.reserve(subjectOf(5), ONE);
  await redis.del(...(await dayKeyOf(redis)), ...(await redis.keys('*c:account:*')));
  await hold!.settle(false);
  t.same(await dayKeyOf(redis), []);
  t.same(await redis.keys('*c:account:*'), []);
});

t.test('scripts are loaded again after Redis has lost them', async (t) => {
  const { ledger, url } = await newLedgerForTest(t);
  const redis = plain(t, url);
  const subject = subjectOf(6);
  await ledger.meter.charge(subject, ONE);
  await redis.script('FLUSH');
  await redis.flushall();
  const all = await Promise.all(Array.from({ length: 300 }, () => ledger.meter.charge(subject, ONE)));
  t.ok(all.every(({ refused }) => refused === undefined));
  t.equal((await ledger.usage.usageOf(6)).today, 300);
});

t.test('a damaged counter refuses its own call and no other call of the batch', async (t) => {
  const { ledger, url } = await newLedgerForTest(t);
  const redis = plain(t, url);
  await ledger.meter.count(subjectOf(7));
  const [key] = await redis.keys('*m:account:account:7');
  await redis.set(key!, 'not a number');
  const [damaged, sound] = await Promise.all([
    ledger.meter.charge(subjectOf(7), ONE),
    ledger.meter.charge(subjectOf(8), ONE),
  ]);
  t.match(damaged, { refused: 'unavailable' });
  t.notOk(sound.refused);
});

t.test('random sequences of charges, reservations and settlements agree with a simple model', async (t) => {
  const { ledger, url } = await newLedgerForTest(t);
  const other = await openForTest(t, url);
  const redis = plain(t, url);
  let seed = 12345;
  const below = (bound: number): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return (seed >>> 8) % bound;
  };
  for (let account = 100; account < 112; account++) {
    const subject = subjectOf(account, {
      requestsPerMinute: 40 + below(60),
      requestsPerDay: 10 + below(60),
      creditsPerMonth: 20 + below(200),
    });
    const model = { minute: 0, day: 0, credits: subject.creditsPerMonth!, usage: 0 };
    const open: { hold: Hold; cost: number }[] = [];
    for (let step = 0; step < 120; step++) {
      const meter = below(2) === 0 ? ledger.meter : other.meter;
      const kind = below(4);
      const cost = 1 + below(9);
      if (kind === 0 && open.length > 0) {
        const [{ hold, cost }] = open.splice(below(open.length), 1) as [{ hold: Hold; cost: number }];
        const succeeded = below(2) === 0;
        await hold.settle(succeeded);
        if (succeeded) model.usage++;
        else {
          model.day--;
          model.credits += cost;
        }
        continue;
      }
      model.minute++;
      const expected =
        model.minute > subject.requestsPerMinute
          ? 'minute'
          : model.day >= subject.requestsPerDay!
            ? 'day'
            : model.credits < cost
              ? 'credits'
              : undefined;
      const asked: Admission & { readonly hold?: Hold } =
        kind < 3
          ? await meter.reserve(subject, { credits: cost })
          : await meter.charge(subject, { credits: cost });
      if (asked.refused !== expected) t.fail(`step ${step}: ${asked.refused} and not ${expected}`);
      if (asked.window.remaining !== Math.max(0, subject.requestsPerMinute - model.minute))
        t.fail('remaining');
      if (expected !== undefined) continue;
      model.day++;
      model.credits -= cost;
      if (asked.hold) open.push({ hold: asked.hold, cost });
      else model.usage++;
    }
    const valueOf = async (pattern: string): Promise<number> =>
      Number(await redis.get((await redis.keys(pattern))[0]!));
    t.same(
      {
        minute: await valueOf(`*m:account:account:${account}`),
        day: await valueOf(`*d:account:account:${account}:*`),
        credits: await valueOf(`*c:account:${account}:*`),
        usage: (await ledger.usage.usageOf(account)).today,
      },
      model,
    );
  }
});
