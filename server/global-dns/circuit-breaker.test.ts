import t from 'tap';
import { UpstreamError } from '../upstream-error.js';
import { CircuitBreaker } from './circuit-breaker.js';

const fail = (): Promise<never> => Promise.reject(new UpstreamError('timeout', 'silent'));
const succeed = (): Promise<string> => Promise.resolve('answer');

function newBreaker(): { breaker: CircuitBreaker; clock: { ms: number } } {
  const clock = { ms: 0 };
  return {
    breaker: new CircuitBreaker('Resolver', { failures: 3, restMs: 100, now: () => clock.ms }),
    clock,
  };
}

async function open(): Promise<ReturnType<typeof newBreaker>> {
  const made = newBreaker();
  for (let i = 0; i < 3; i++) await t.rejects(made.breaker.run(fail), { message: 'silent' });
  return made;
}

t.test('consecutive failures open the breaker, and calls are then rejected without work', async (t) => {
  const { breaker } = await open();
  t.equal(breaker.state, 'open');
  let asked = 0;
  const count = (): Promise<number> => Promise.resolve(asked++);
  await t.rejects(breaker.run(count), { name: 'UpstreamError', reason: 'unreachable', message: /Resolver/ });
  t.equal(asked, 0);
});

t.test('a success between failures keeps it closed', async (t) => {
  const { breaker } = newBreaker();
  for (let i = 0; i < 5; i++) {
    await t.rejects(breaker.run(fail));
    await t.rejects(breaker.run(fail));
    t.equal(await breaker.run(succeed), 'answer');
  }
  t.equal(breaker.state, 'closed');
});

t.test('after the pause one call is tried, and its success closes the breaker', async (t) => {
  const { breaker, clock } = await open();
  clock.ms = 99;
  await t.rejects(breaker.run(succeed), { name: 'UpstreamError', reason: 'unreachable' });
  clock.ms = 100;
  t.equal(breaker.state, 'half-open');
  let answer: (text: string) => void = () => undefined;
  const trial = new Promise<string>((resolve) => (answer = resolve));
  const tried = breaker.run(() => trial);
  await t.rejects(breaker.run(succeed), { name: 'UpstreamError', reason: 'unreachable' }, 'only one');
  answer('answer');
  t.equal(await tried, 'answer');
  t.equal(breaker.state, 'closed');
});

t.test('a failed trial starts a new pause', async (t) => {
  const { breaker, clock } = await open();
  clock.ms = 150;
  await t.rejects(breaker.run(fail), { message: 'silent' });
  clock.ms = 249;
  t.equal(breaker.state, 'open');
  clock.ms = 250;
  t.equal(await breaker.run(succeed), 'answer');
});

t.test('an error that does not count leaves the breaker unchanged and allows another trial', async (t) => {
  const { breaker, clock } = await open();
  clock.ms = 100;
  await t.rejects(
    breaker.run(fail, () => false),
    { message: 'silent' },
  );
  await t.rejects(
    breaker.run(() => Promise.reject(new TypeError('ours'))),
    { message: 'ours' },
  );
  t.equal(breaker.state, 'half-open');
  t.equal(await breaker.run(succeed), 'answer');
});
