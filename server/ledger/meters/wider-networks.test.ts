import { Redis } from 'ioredis';
import t, { type Test } from 'tap';
import { Calendar } from '../calendar.js';
import { anonymousSubject, keylessSubject, type Subject } from '../subject.js';
import { newLedgerForTest } from '../testing/ledger.js';
import { WatchedRedis } from '../watched-redis.js';
import { openAdmissions } from './admission-lanes.js';
import { LocalMeter } from './local-meter.js';
import type { Admission } from './meter.js';
import { Reaper } from './reaper.js';
import { Settlements } from './settlements.js';

const ONE = { credits: 1 };

/** Returns the subject of an address with the test's own limits. */
function caller(address: string, numbers: Partial<Subject> = {}): Subject {
  return { ...anonymousSubject(address), requestsPerMinute: 2, requestsPerDay: 1000, ...numbers };
}

/** Returns an address of the n-th /64 of the m-th /56 of 2001:db8::/48. */
function addressIn(m: number, n: number): string {
  return `2001:db8:0:${(m * 256 + n).toString(16)}::1`;
}

/** Calls in turn and returns how many calls were admitted, and the last refusal. */
async function callAll(
  addresses: readonly string[],
  call: (subject: Subject) => Admission | Promise<Admission>,
  numbers: Partial<Subject> = {},
): Promise<{ admitted: number; last: Admission | undefined }> {
  let admitted = 0;
  let last: Admission | undefined;
  for (const address of addresses) {
    const admission = await call(caller(address, numbers));
    if (admission.refused === undefined) admitted++;
    else last = admission;
  }
  return { admitted, last };
}

/** Runs a test with the meter in Redis and with the one in the process. */
function withBothMeters(
  name: string,
  run: (
    t: Test,
    meter: Record<'peek' | 'count' | 'charge', (subject: Subject) => Promise<Admission>>,
  ) => Promise<void>,
): void {
  void t.test(`${name}, in Redis`, async (t) => {
    const { meter } = (await newLedgerForTest(t)).ledger;
    await run(t, {
      peek: (subject) => meter.peek(subject),
      count: (subject) => meter.count(subject),
      charge: (subject) => meter.charge(subject, ONE),
    });
  });
  void t.test(`${name}, in the process`, async (t) => {
    const local = new LocalMeter(new Calendar('UTC'));
    await run(t, {
      peek: (subject) => Promise.resolve(local.peek(subject)),
      count: (subject) => Promise.resolve(local.count(subject)),
      charge: (subject) => Promise.resolve(local.take(subject)),
    });
  });
}

withBothMeters(
  'decision 68: a /56 has 4 and a /48 has 16 times the minute of a /64',
  async (t, { count }) => {
    const in56 = Array.from({ length: 20 }, (_, i) => addressIn(1, i % 10));
    const one = await callAll(in56, count);
    t.equal(one.admitted, 8);
    t.match(one.last, {
      refused: 'minute',
      window: { limit: 8, remaining: 0, network: '2001:db8:0:100::/56' },
    });
    const in48 = Array.from({ length: 120 }, (_, i) => addressIn(2 + (i % 20), Math.floor(i / 20)));
    const rest = await callAll(in48, count);
    t.equal(rest.admitted, 32 - 8, '8 of the 32 were used before');
    t.match(rest.last, { refused: 'minute', window: { limit: 32, remaining: 0, network: '2001:db8::/48' } });
    t.equal((await callAll(['2001:db8:1::1', '192.0.2.1'], count)).admitted, 2, 'others are not affected');
  },
);

withBothMeters('decision 68: a /48 has 16 times the day of a /64', async (t, { charge }) => {
  const numbers = { requestsPerMinute: 1000, requestsPerDay: 3 };
  const all = Array.from({ length: 400 }, (_, i) => addressIn(i % 20, Math.floor(i / 20) % 5));
  const { admitted, last } = await callAll(all, charge, numbers);
  t.equal(admitted, 48);
  t.match(last, { refused: 'day' });
  const in56 = Array.from({ length: 100 }, (_, i) => addressIn(0, i).replace('db8:0', 'db8:1'));
  t.equal((await callAll(in56, charge, numbers)).admitted, 12);
});

withBothMeters('decision 68: what a /64 is refused does not count in its networks', async (t, { count }) => {
  t.equal((await callAll(Array<string>(500).fill(addressIn(1, 1)), count)).admitted, 2);
  const neighbours = Array.from({ length: 40 }, (_, i) => addressIn(1, 2 + (i % 20)));
  t.equal((await callAll(neighbours, count)).admitted, 6, 'the rest of the /56');
});

withBothMeters(
  'decision 68: the window with the fewest requests left is shown',
  async (t, { peek, count }) => {
    const own = await count(caller(addressIn(1, 1)));
    t.same(own.window.network, undefined, 'its own in case of a tie');
    t.match(own.window, { limit: 2, remaining: 1 });
    await callAll(
      [2, 2, 3, 3, 4].map((n) => addressIn(1, n)),
      count,
    );
    const fifth = await peek(caller(addressIn(1, 5)));
    t.match(fifth.window, { limit: 2, remaining: 2 }, 'two are left of both');
    t.same(fifth.window.network, undefined);
    await count(caller(addressIn(1, 4)));
    t.match(await peek(caller(addressIn(1, 5))), {
      window: { limit: 8, remaining: 1, network: '2001:db8:0:100::/56' },
    });
    t.notOk((await peek(caller(addressIn(1, 5)))).refused);
  },
);

t.test('decision 68: a failed call gives the day back to the source and to its networks', async (t) => {
  const { ledger, url } = await newLedgerForTest(t);
  const redis = new Redis(url);
  t.teardown(() => {
    redis.disconnect();
  });
  const subject = caller(addressIn(1, 1));
  const { hold } = await ledger.meter.reserve(subject, ONE);
  await ledger.meter.charge(subject, ONE);
  const days = await redis.keys('*d:anonymous:*');
  t.equal(days.length, 3);
  t.same(await redis.mget(days), ['2', '2', '2']);
  const counted = await ledger.meter.reserveCounted(subject, ONE);
  t.same(await redis.mget(days), ['3', '3', '3']);
  await hold!.settle(false);
  await hold!.settle(false);
  await counted.hold!.settle(true);
  t.same(await redis.mget(days), ['2', '2', '2']);
  t.same(await redis.keys('*holds'), []);
});

t.test('decision 68: a hold of a dead process is given back to the networks', async (t) => {
  const { ledger, url } = await newLedgerForTest(t, { holdMs: 0 });
  const redis = new Redis(url);
  const watched = new WatchedRedis({ url });
  t.teardown(() => {
    redis.disconnect();
    watched.close();
  });
  await watched.ready(10_000);
  await ledger.meter.reserve(caller(addressIn(1, 1)), ONE);
  const days = await redis.keys('*d:anonymous:*');
  t.same(await redis.mget(days), ['1', '1', '1']);
  t.equal(await new Reaper(watched, new Settlements(openAdmissions(watched))).sweep(), 1);
  t.same(await redis.mget(days), ['0', '0', '0']);
});

t.test('a source and its networks have one hash tag; IPv4 and accounts have the keys they had', async (t) => {
  const { ledger, url } = await newLedgerForTest(t);
  const redis = new Redis(url);
  t.teardown(() => {
    redis.disconnect();
  });
  for (let i = 0; i < 20; i++) await ledger.meter.reserve(caller(addressIn(i, i)), ONE);
  const tags = new Set((await redis.keys('*')).map((key) => /\{.*\}/.exec(key)![0]));
  t.equal(tags.size, 1);
  await redis.flushall();
  await ledger.meter.charge(anonymousSubject('192.0.2.1'), ONE);
  await ledger.meter.count(keylessSubject('192.0.2.1', 'bgp'));
  t.match((await redis.keys('*')).sort(), [
    /^ipatlas:\{s\d+\}d:anonymous:ip:192\.0\.2\.1:\d{8}$/,
    /^ipatlas:\{s\d+\}m:anonymous:ip:192\.0\.2\.1$/,
    /^ipatlas:\{s\d+\}m:bgp:ip:192\.0\.2\.1$/,
  ]);
});

t.test('the networks of an address', (t) => {
  t.match(anonymousSubject('2001:db8:1:2fed:1:2:3:4'), {
    id: 'ip:2001:db8:1:2fed::/64',
    wider: ['ip:2001:db8:1:2f00::/56', 'ip:2001:db8:1::/48'],
  });
  t.match(keylessSubject('ffff:ffff:ffff:ffff::', 'public'), {
    wider: ['ip:ffff:ffff:ffff:ff00::/56', 'ip:ffff:ffff:ffff::/48'],
  });
  t.notOk('wider' in anonymousSubject('192.0.2.1'));
  t.end();
});
