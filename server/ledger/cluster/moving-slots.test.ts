import keySlot from 'cluster-key-slot';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { creditsKey, holdKeys, prefixOf } from '../redis-keys.js';
import type { Subject } from '../subject.js';
import { openForTest, subjectOf } from '../testing/ledger.js';
import { moveSlot } from '../testing/move-slot.js';
import { newClusterForTest } from '../testing/redis-cluster.js';

t.setTimeout(180_000);
const cluster = await newClusterForTest(t);
/** Much longer than a move holds up a settlement. */
const options = { holdMs: 5000 };
const ledgers = [
  await openForTest(t, cluster.urls, options),
  await openForTest(t, cluster.urls.slice(1, 2), options),
];
const MONTH = new Date().toISOString().slice(0, 7).replace('-', '');
const ONE = { credits: 1 };
const CALLERS = 8;

const slotOf = (subject: Subject): number => keySlot(prefixOf(subject));

/** Returns accounts in different slots. */
function accountsFrom(first: number, count: number, creditsPerMonth: number): Subject[] {
  const found = new Map<number, Subject>();
  for (let id = first; found.size < count; id++) {
    const subject = subjectOf(id, { creditsPerMonth });
    if (!found.has(slotOf(subject))) found.set(slotOf(subject), subject);
  }
  return [...found.values()];
}

/** Moves the slot of each subject to another master, while callers call without a break. */
async function callDuringMoves(subjects: readonly Subject[], call: (subject: Subject) => Promise<void>) {
  let isOver = false;
  const callers = Array.from({ length: CALLERS }, async (_, caller) => {
    for (let i = caller; !isOver; i++) {
      await call(subjects[i % subjects.length]!);
      await sleep(1);
    }
  });
  for (const subject of subjects) {
    const from = await cluster.masterOf(slotOf(subject));
    const to = (await cluster.masters()).find((server) => server !== from)!;
    await moveSlot(cluster, { slot: slotOf(subject), from, to, stepKeys: 1 });
    // All callers have called in between.
    await sleep(20);
  }
  isOver = true;
  await Promise.all(callers);
}

async function creditsLeft({ id }: Subject): Promise<number> {
  const key = creditsKey(Number(id.replace('account:', '')), MONTH);
  const { redis } = await cluster.masterOf(keySlot(key));
  return Number(await redis.get(key));
}

t.test('exactly the limit is admitted while slots move', async (t) => {
  const LIMIT = 25;
  const subjects = accountsFrom(1, 12, LIMIT);
  const admitted = new Map(subjects.map((subject) => [subject, 0]));
  let undecided = 0;
  const call = async (subject: Subject, at = ledgers[admitted.get(subject)! % 2]!): Promise<void> => {
    const { refused } = await at.meter.charge(subject, ONE);
    if (refused === undefined) admitted.set(subject, admitted.get(subject)! + 1);
    if (refused === 'unavailable') undecided++;
  };
  await callDuringMoves(subjects, call);
  // The rest of the credits, and more.
  for (const subject of subjects) for (let i = 0; i <= LIMIT; i++) await call(subject);
  t.comment(`undecided during the moves: ${undecided}`);
  for (const [subject, count] of admitted) {
    t.equal(await creditsLeft(subject), 0);
    t.ok(count <= LIMIT && count >= LIMIT - undecided, `${subject.id}: ${count} of ${LIMIT}`);
  }
});

t.test('the sum of credits is exact after calls that succeed, fail, or lose their connection', async (t) => {
  const CREDITS = 100_000;
  const subjects = accountsFrom(1000, 12, CREDITS);
  let [taken, calls] = [0, 0];
  const call = async (subject: Subject): Promise<void> => {
    const isGood = ++calls % 3 > 0;
    const { hold } = await ledgers[calls % 2]!.meter.reserve(subject, ONE);
    if (hold !== undefined && isGood) taken++;
    await hold?.settle(isGood);
    if (calls % 50 === 0) await loseReplies(subject);
  };
  await callDuringMoves(subjects, call);
  t.comment(`calls: ${calls}, charged: ${taken}`);
  t.ok(taken > 50);
  // Settlements are tried again. What a lost reply left is given back.
  for (const subject of subjects) await untilSettled(subject);
  const left = await Promise.all(subjects.map(creditsLeft));
  t.equal(subjects.length * CREDITS - left.reduce((sum, credits) => sum + credits, 0), taken);
});

/**
 * Closes all connections of a master after it has run their commands, and before it replies: while it is busy, commands
 * arrive, and then the order to close.
 */
async function loseReplies(subject: Subject): Promise<void> {
  const { redis } = await cluster.masterOf(slotOf(subject));
  const killer = redis.duplicate();
  await killer.ping();
  const busy = redis.eval(BUSY, 0);
  await sleep(15);
  await killer.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
  killer.disconnect();
  await busy;
}

const BUSY = `
local function now() local time = redis.call('TIME') return time[1] * 1000000 + time[2] end
local began = now()
while now() < began + 30000 do end
`;

async function untilSettled(subject: Subject): Promise<void> {
  const { redis } = await cluster.masterOf(slotOf(subject));
  while ((await redis.exists(...holdKeys(prefixOf(subject)))) > 0) await sleep(50);
}
