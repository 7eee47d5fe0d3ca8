import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { before, deadlineIn, leftOf } from './deadline.js';

t.test('work that comes to something in time is what it came to', async (t) => {
  t.equal(await before(deadlineIn(10_000), Promise.resolve('done'), () => 'late'), 'done');
  await t.rejects(
    before(deadlineIn(10_000), Promise.reject(new Error('broken')), () => 'late'),
    { message: 'broken' },
  );
});

t.test('a deadline that never comes is none that has passed', async (t) => {
  t.equal(await before(Infinity, sleep(50, 'done'), () => 'late'), 'done');
});

t.test('who waits too long gets what is said then, and the work goes on', async (t) => {
  const work = sleep(300, 'done');
  t.equal(await before(deadlineIn(10), work, () => 'late'), 'late');
  const refuse = (): never => {
    throw new Error('too late');
  };
  await t.rejects(before(deadlineIn(10), work, refuse), { message: 'too late' });
  t.equal(await work, 'done');
});

t.test('an inner deadline is no later than the outer one, and what is left is never negative', (t) => {
  const outer = deadlineIn(100);
  t.equal(deadlineIn(1000, outer), outer);
  t.ok(deadlineIn(10, outer) < outer);
  t.equal(leftOf(performance.now() - 5), 0);
  t.end();
});
