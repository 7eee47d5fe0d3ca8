import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import t, { type Test } from 'tap';
import type { Ledger } from './ledger.js';
import { newApiKey } from './accounts/api-key.js';
import { newLedgerForTest, sourceOf, subjectOf, untilSeen } from './testing/ledger.js';

const ONE = { credits: 1 };
/** Longer than any call may take, shorter than a hanging call. */
const HANGS_MS = 5000;

async function inTime<T>(t: Test, promise: Promise<T>, what: string): Promise<T> {
  const late = Symbol('late');
  const result = await Promise.race([promise, sleep(HANGS_MS, late, { ref: false })]);
  if (result === late) t.fail(`${what} hangs`);
  return result as T;
}

async function isUp(ledger: Ledger): Promise<void> {
  while (!(await ledger.ready(1000)));
}

async function isDown(ledger: Ledger): Promise<void> {
  while (ledger.isReady()) await sleep(10);
}

/** Checks decision 10 while Redis is unavailable. `known` is a key checked within the last minute. */
async function behavesWithoutRedis(t: Test, ledger: Ledger, known: string): Promise<void> {
  const { meter, accounts } = ledger;
  const subject = subjectOf(1, { requestsPerMinute: 1000 });
  t.match(await inTime(t, meter.charge(subject, ONE), 'charge'), { refused: 'unavailable' });
  const reserved = await inTime(t, meter.reserve(subject, ONE), 'reserve');
  t.match(reserved, { refused: 'unavailable' });
  t.notOk(reserved.hold, 'there is no hold');
  const twoSteps = await inTime(t, meter.reserveCounted(subject, ONE), 'reserveCounted');
  t.match(twoSteps, { refused: 'unavailable' });
  t.notOk(twoSteps.hold, 'no hold in two steps either');
  const chargedInTwoSteps = await inTime(t, meter.chargeCounted(subject, ONE), 'chargeCounted');
  t.match(chargedInTwoSteps, { refused: 'unavailable' });
  t.notOk((await inTime(t, meter.count(subject), 'count')).refused, 'calls without a price are admitted');
  const keyless = sourceOf('192.0.2.9', { bucket: 'bgp', requestsPerMinute: 2 });
  const counted = [];
  for (let i = 0; i < 4; i++) counted.push((await inTime(t, meter.count(keyless), 'count')).refused);
  t.same(counted, [undefined, undefined, 'minute', 'minute'], 'the same limits apply in this process');
  const anonymous = sourceOf('192.0.2.9', { requestsPerDay: 3 });
  const { hold } = await inTime(t, meter.reserve(anonymous, ONE), 'reserve');
  await hold!.settle(false);
  await hold!.settle(false);
  const before = (await inTime(t, meter.peek(anonymous), 'peek')).window.remaining;
  const inTwoSteps = await inTime(t, meter.reserveCounted(anonymous, ONE), 'reserveCounted');
  t.equal(inTwoSteps.window.remaining, before, 'the minute is not counted twice');
  await inTwoSteps.hold!.settle(false);
  const charged = [];
  for (let i = 0; i < 4; i++) charged.push((await inTime(t, meter.charge(anonymous, ONE), 'charge')).refused);
  t.same(charged, [undefined, undefined, undefined, 'day'], 'a failed call was refunded once');
  t.match(await accounts.authenticate(known), { kind: 'account' }, 'a recently checked key is known');
  t.match(await accounts.authenticate(newApiKey()), { kind: 'undecided' }, 'another key is undecided');
  t.match(await accounts.authenticate('ipa_typo'), { kind: 'invalid' }, 'a malformed key is invalid');
  await t.rejects(inTime(t, ledger.downloads.take(1, 'mmdb'), 'take'), { code: 503 });
  await t.rejects(inTime(t, ledger.usage.usageOf(1), 'usage'), { code: 503 });
}

t.test(
  'decision 10: a frozen Redis delays no call, admits no paid call, and charges none when it resumes',
  async (t) => {
    const lines: string[] = [];
    const { ledger, url, pid } = await newLedgerForTest(t, { log: (line) => lines.push(line) });
    const { key } = await ledger.accounts.createKey({ email: 'a@example.com' });
    await untilSeen(ledger, key);
    const subject = subjectOf(1);
    t.notOk((await ledger.meter.charge(subject, ONE)).refused);
    const { hold } = await ledger.meter.reserve(subject, { credits: 100 });
    process.kill(pid, 'SIGSTOP');
    t.teardown(() => process.kill(pid, 'SIGCONT'));
    const caught = await inTime(
      t,
      Promise.all(Array.from({ length: 50 }, () => ledger.meter.charge(subject, ONE))),
      'charge',
    );
    t.ok(caught.every(({ refused }) => refused === 'unavailable'));
    await isDown(ledger);
    await behavesWithoutRedis(t, ledger, key);
    await inTime(t, hold!.settle(false), 'settle');
    process.kill(pid, 'SIGCONT');
    await isUp(ledger);
    t.notOk((await ledger.meter.charge(subject, ONE)).refused, 'calls are charged again');
    const redis = new Redis(url);
    t.teardown(() => {
      redis.disconnect();
    });
    const [credits] = await redis.keys('*c:account:1:*');
    while (Number(await redis.get(credits!)) < 900) await sleep(20);
    t.equal(Number(await redis.get(credits!)), 998, 'two calls were charged; the hold was refunded');
    t.equal((await ledger.usage.usageOf(1)).today, 2);
    t.match(lines[0], /^Redis is unreachable: no reply for 1000 ms$/);
    t.equal(lines.filter((line) => line === 'Redis is reachable again').length, 1);
    t.ok(lines.length < 10, 'the log does not repeat itself');
  },
);

t.test('decision 10: a Redis that is restarted empty is used again', async (t) => {
  const { ledger, url, pid } = await newLedgerForTest(t);
  const { key } = await ledger.accounts.createKey({ email: 'a@example.com' });
  await untilSeen(ledger, key);
  process.kill(pid, 'SIGKILL');
  await isDown(ledger);
  await behavesWithoutRedis(t, ledger, key);
  const { port } = new URL(url);
  const again = spawn('redis-server', ['--port', port, '--bind', '127.0.0.1', '--save', ''], {
    stdio: 'ignore',
  });
  t.teardown(() => again.kill('SIGKILL'));
  await isUp(ledger);
  t.notOk((await ledger.meter.charge(subjectOf(1), ONE)).refused);
  while ((await ledger.accounts.authenticate(key)).kind === 'account') await sleep(10);
  t.match(
    await ledger.accounts.authenticate(key),
    { kind: 'invalid' },
    'the cache of keys was cleared, because changes may have been missed',
  );
});

t.test('a ledger without Redis opens, answers and closes', async (t) => {
  const { openLedger } = await import('./ledger.js');
  const ledger = openLedger({ redis: { socketPath: `${t.testdirName}/none.sock` }, timeZone: 'UTC' });
  t.equal(await ledger.ready(50), false);
  t.match(await ledger.meter.charge(subjectOf(1), ONE), { refused: 'unavailable' });
  t.notOk((await ledger.meter.charge(sourceOf('192.0.2.1'), ONE)).refused);
  ledger.close();
});

t.test('commands that Redis refuses are logged once, and once more after a reconnect', async (t) => {
  const lines: string[] = [];
  const { ledger, url } = await newLedgerForTest(t, { log: (line) => lines.push(line) });
  const redis = new Redis(url);
  t.teardown(() => {
    redis.disconnect();
  });
  const refusals = (): number => lines.filter((line) => line.includes("'evalsha'")).length;
  const beRefused = async (): Promise<void> => {
    for (let i = 0; i < 3; i++)
      t.match(await inTime(t, ledger.meter.charge(subjectOf(1), ONE), 'charge'), {
        refused: 'unavailable',
      });
  };
  await redis.acl('SETUSER', 'default', '-evalsha', '-eval');
  await beRefused();
  t.equal(refusals(), 1);
  await redis.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
  await isDown(ledger);
  await isUp(ledger);
  await beRefused();
  t.equal(refusals(), 2);
});
