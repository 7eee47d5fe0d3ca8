import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { before, deadlineIn, leftOf } from './deadline.js';

t.test('work that ends before the deadline gives its result or error', async (t) => {
  t.equal(await before(deadlineIn(10_000), Promise.resolve('done'), () => 'late'), 'done');
  await t.rejects(
    before(deadlineIn(10_000), Promise.reject(new Error('broken')), () => 'late'),
    { message: 'broken' },
  );
});

t.test('an infinite deadline never passes', async (t) => {
  t.equal(await before(Infinity, sleep(50, 'done'), () => 'late'), 'done');
});

t.test('after the deadline the late result is returned or thrown, and the work continues', async (t) => {
  const work = sleep(300, 'done');
  t.equal(await before(deadlineIn(10), work, () => 'late'), 'late');
  const refuse = (): never => {
    throw new Error('too late');
  };
  await t.rejects(before(deadlineIn(10), work, refuse), { message: 'too late' });
  t.equal(await work, 'done');
});

t.test('an inner deadline is never later than the outer one, and the time left is never negative', (t) => {
  const outer = deadlineIn(100);
  t.equal(deadlineIn(1000, outer), outer);
  t.ok(deadlineIn(10, outer) < outer);
  t.equal(leftOf(performance.now() - 5), 0);
  t.end();
});
