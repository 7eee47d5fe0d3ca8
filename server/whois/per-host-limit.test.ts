import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { deadlineIn } from '../deadline.js';
import { PerHostLimit } from './per-host-limit.js';

t.test('decision 25: a host gets a limited number of concurrent queries, in order of arrival', async (t) => {
  const limit = new PerHostLimit(4);
  let running = 0;
  let most = 0;
  const order: number[] = [];
  const ask = (i: number) =>
    limit.run('whois.example.net', deadlineIn(10_000), async () => {
      most = Math.max(most, ++running);
      order.push(i);
      await sleep(1);
      running--;
      return i;
    });
  const numbers = Array.from({ length: 30 }, (_, i) => i);
  t.same(await Promise.all(numbers.map(ask)), numbers);
  t.equal(most, 4);
  t.same(order, numbers);
});

t.test('hosts do not wait for each other', async (t) => {
  const limit = new PerHostLimit(1);
  const never = limit.run('a.example.net', Infinity, () => new Promise(() => undefined));
  t.equal(await limit.run('b.example.net', deadlineIn(10_000), () => Promise.resolve('b')), 'b');
  t.ok(never);
});
