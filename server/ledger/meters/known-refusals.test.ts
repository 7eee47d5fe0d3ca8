import { Redis } from 'ioredis';
import t from 'tap';
import { newLedgerForTest, sourceOf } from '../testing/ledger.js';
import { KnownRefusals } from './known-refusals.js';

const WINDOW = { limit: 1, remaining: 0, reset: 1_800_000_000 };
const REFUSED = { window: WINDOW, refused: 'minute' } as const;

t.test('decision 3: a refusal is known until a second before the end of its window', (t) => {
  let now = 5000;
  const known = new KnownRefusals(() => now);
  const subject = sourceOf('192.0.2.1', { requestsPerMinute: 1 });
  known.learn(subject, { window: WINDOW }, 30_000);
  known.learn(subject, { window: WINDOW, refused: 'day' }, 30_000);
  t.equal(known.of(subject), undefined, 'only a used up minute is known');
  known.learn(subject, REFUSED, 30_000);
  t.equal(known.of(subject), REFUSED);
  t.equal(known.of(sourceOf('192.0.2.2', { requestsPerMinute: 1 })), undefined, 'another source');
  t.equal(known.of({ ...subject, bucket: 'bgp' }), undefined, 'another bucket');
  t.equal(known.of({ ...subject, requestsPerMinute: 600 }), undefined, 'a larger plan');
  now += 28_999;
  t.equal(known.of(subject), REFUSED);
  now += 1;
  t.equal(known.of(subject), undefined);
  t.end();
});

t.test('decision 68: the refusal of a network around the caller is not kept', (t) => {
  const known = new KnownRefusals();
  const subject = sourceOf('2001:db8::1', { requestsPerMinute: 1 });
  known.learn(subject, { window: { ...WINDOW, network: '2001:db8::/56' }, refused: 'minute' }, 30_000);
  t.equal(known.of(subject), undefined);
  t.end();
});

t.test('decision 3: the meter knows a refusal with the window that Redis has told', async (t) => {
  const { ledger, url } = await newLedgerForTest(t);
  const { meter } = ledger;
  const subject = sourceOf('192.0.2.1', { requestsPerMinute: 2 });
  await meter.count(subject);
  await meter.charge(subject, { credits: 0 });
  t.equal(meter.knownRefusal(subject), undefined, 'the limit is reached, and no call was refused');
  const refused = await meter.count(subject);
  t.match(refused, { refused: 'minute' });
  t.strictSame(meter.knownRefusal(subject), refused);
  const redis = new Redis(url);
  t.teardown(() => {
    redis.disconnect();
  });
  const [key] = await redis.keys('*m:*');
  await redis.pexpire(key!, 900);
  await meter.count(subject);
  t.equal(meter.knownRefusal(subject), undefined, 'Redis decides about the last second');
});
