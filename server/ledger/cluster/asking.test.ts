import keySlot from 'cluster-key-slot';
import t from 'tap';
import { prefixOf } from '../redis-keys.js';
import { openForTest, subjectOf } from '../testing/ledger.js';
import { newClusterForTest } from '../testing/redis-cluster.js';

t.test('a process survives the death of a master that it has just asked for a key on the move', async (t) => {
  const cluster = await newClusterForTest(t, { replicasOfEach: 0 });
  const ledger = await openForTest(t, cluster.urls);
  const subject = subjectOf(1);
  const slot = keySlot(prefixOf(subject));
  const from = await cluster.masterOf(slot);
  const to = (await cluster.masters()).find((server) => server !== from)!;
  await to.redis.cluster('SETSLOT', slot, 'IMPORTING', await from.id());
  await from.redis.cluster('SETSLOT', slot, 'MIGRATING', await to.id());
  process.kill(to.pid(), 'SIGSTOP');
  const rejections: unknown[] = [];
  const note = (reason: unknown): void => void rejections.push(reason);
  process.on('unhandledRejection', note);
  const asked = ledger.meter.charge(subject, { credits: 1 });
  await from.redis.ping();
  await to.kill();
  t.equal((await asked).refused, 'unavailable');
  // A rejection without a handler is reported after the microtasks of its turn.
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', note);
  t.same(rejections, []);
});
