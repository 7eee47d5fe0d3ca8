import t from 'tap';
import { ConcurrencyLimit } from './concurrency-limit.js';
import { deadlineIn } from './deadline.js';

t.test('a task that waits past its deadline is rejected and never runs', async (t) => {
  const limit = new ConcurrencyLimit(1, 'busy');
  let finish: () => void = () => undefined;
  const first = limit.run(Infinity, () => new Promise<void>((resolve) => (finish = resolve)));
  let ran = false;
  const late = limit.run(deadlineIn(20), () => {
    ran = true;
    return Promise.resolve();
  });
  await t.rejects(late, { name: 'UpstreamError', reason: 'timeout', message: 'busy' });
  finish();
  await first;
  t.equal(limit.isIdle, true);
  t.equal(await limit.run(deadlineIn(10_000), () => Promise.resolve(3)), 3);
  t.equal(ran, false);
});

t.test('a slot is free again after a task that threw', async (t) => {
  const limit = new ConcurrencyLimit(1, 'busy');
  const fail = () => limit.run(deadlineIn(10_000), () => Promise.reject(new Error('no')));
  await t.rejects(fail(), { message: 'no' });
  await t.rejects(fail(), { message: 'no' });
});
