import t from 'tap';
import { Place, RankedQueues } from './ranked-queues.js';

t.test('the highest rank comes first, and in it the place that was taken first', (t) => {
  const queues = new RankedQueues<string>();
  t.equal(queues.first(), undefined);
  const [a, b, c, d] = [new Place('a'), new Place('b'), new Place('c'), new Place('d')];
  queues.enter(a, 1);
  queues.enter(b, 3);
  queues.enter(c, 1);
  queues.enter(d, 3);
  for (const place of [b, d, a, c]) {
    t.equal(queues.first(), place.holder);
    place.leave();
  }
  t.equal(queues.first(), undefined);
  t.end();
});

t.test('a place that is taken again goes to the end of its new queue', (t) => {
  const queues = new RankedQueues<string>();
  const [a, b, c] = [new Place('a'), new Place('b'), new Place('c')];
  for (const place of [a, b, c]) queues.enter(place, 0);
  queues.enter(a, 0);
  t.equal(queues.first(), 'b');
  c.leave();
  c.leave();
  b.leave();
  t.equal(queues.first(), 'a');
  queues.enter(b, 0);
  queues.enter(a, 2);
  t.equal(queues.first(), 'a');
  queues.enter(a, 0);
  t.equal(queues.first(), 'b');
  t.end();
});
