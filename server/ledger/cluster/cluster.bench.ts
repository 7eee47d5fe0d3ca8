import { setTimeout as sleep } from 'node:timers/promises';
import keySlot from 'cluster-key-slot';
import t from 'tap';
import type { Ledger } from '../ledger.js';
import { prefixOf } from '../redis-keys.js';
import { ChargedAccounts, lostOf, untilReplicated } from '../testing/charged-accounts.js';
import { newLedgerForTest, openForTest, subjectOf } from '../testing/ledger.js';
import { moveSlot } from '../testing/move-slot.js';
import { newClusterForTest } from '../testing/redis-cluster.js';

// A cluster on the loopback, three masters with a replica each, cluster-node-timeout 2 s: admissions beside those of a
// single Redis, what the death of a master costs, and what a move of a slot costs.

t.setTimeout(0);
const CALLERS = 50;
const CALLS = 20_000;
const KILLS = 10;
const KEYS_OF_SLOT = 20_000;
const say = (line: string): boolean => process.stdout.write(`# ${line}\n`);

async function rateOf({ meter }: Ledger): Promise<number> {
  const subjects = Array.from({ length: 1000 }, (_, id) => subjectOf(id, { creditsPerMonth: 1_000_000 }));
  let next = 0;
  const began = performance.now();
  const caller = async (): Promise<void> => {
    while (next < CALLS) await meter.charge(subjects[next++ % 1000]!, { credits: 1 });
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return (CALLS / (performance.now() - began)) * 1000;
}

t.test('admissions', async (t) => {
  const { ledger: single } = await newLedgerForTest(t);
  const { urls } = await newClusterForTest(t);
  const cluster = await openForTest(t, urls);
  for (let round = 0; round < 4; round++) {
    const [one, many] = [await rateOf(single), await rateOf(cluster)];
    say(`single ${Math.round(one)} a second, cluster ${Math.round(many)}: ratio ${(many / one).toFixed(2)}`);
  }
});

t.test('killed masters', async (t) => {
  const cluster = await newClusterForTest(t, { nodeTimeoutMs: 2000 });
  const ledger = await openForTest(t, cluster.urls);
  for (let kill = 0; kill < KILLS; kill++) {
    const accounts = new ChargedAccounts(cluster, ledger, { first: kill * 100, count: 100 });
    const [victim, ...survivors] = await cluster.masters();
    const load = { isOver: false };
    const callers = (async () => {
      while (!load.isOver) await accounts.chargeAll();
      while (!(await accounts.chargeAll())) await sleep(20);
    })();
    await sleep(3000);
    await victim!.kill();
    const killedMs = performance.now();
    await cluster.settled();
    load.isOver = true;
    await callers;
    const heirs = (await cluster.masters()).filter((server) => !survivors.includes(server));
    const charges = await accounts.chargesAt(heirs);
    const all = charges.flatMap(({ admittedMs }) => admittedMs).filter((ms) => ms < killedMs);
    const lost = charges.flatMap((one) => lostOf(one, killedMs));
    const undecided = charges.flatMap(({ undecidedMs }) => undecidedMs);
    const [lostMs, refusedMs] = [killedMs - Math.min(killedMs, ...lost), Math.max(...undecided) - killedMs];
    say(
      `lost ${lost.length} of ${all.length} admissions, those of the last ${Math.round(lostMs)} ms; refused for ${Math.round(refusedMs)} ms`,
    );
    await victim!.restart();
    await sleep(500);
    await Promise.all((await cluster.masters()).map(untilReplicated));
  }
});

t.test('a slot that moves', async (t) => {
  const cluster = await newClusterForTest(t, { replicasOfEach: 0 });
  const ledger = await openForTest(t, cluster.urls);
  const subject = subjectOf(1);
  const prefix = prefixOf(subject);
  const slot = keySlot(prefix);
  for (const stepKeys of [10, 100, 1000]) {
    const from = await cluster.masterOf(slot);
    const to = (await cluster.masters()).find((server) => server !== from)!;
    const other = from.redis.pipeline();
    for (let i = 0; i < KEYS_OF_SLOT; i++) other.set(`${prefix}bench:${i}`, '17');
    await other.exec();
    const began = performance.now();
    let isOver = false;
    const counts = { admitted: 0, undecided: 0 };
    const callers = Array.from({ length: CALLERS }, async (_, caller) => {
      while (!isOver) {
        const { refused } = await ledger.meter.charge(caller % 2 ? subject : neighbour(prefix, caller), {
          credits: 0,
        });
        counts[refused === undefined ? 'admitted' : 'undecided']++;
        await sleep(10);
      }
    });
    await moveSlot(cluster, { slot, from, to, stepKeys });
    isOver = true;
    const ms = Math.round(performance.now() - began);
    await Promise.all(callers);
    say(
      `${KEYS_OF_SLOT} keys, ${stepKeys} in a step: ${ms} ms, ${counts.admitted} admitted, ${counts.undecided} refused`,
    );
  }
});

/** Returns another account with the same tag. */
function neighbour(prefix: string, n: number) {
  for (let id = 1000 * n; ; id++) if (prefixOf(subjectOf(id)) === prefix) return subjectOf(id);
}
