import t from 'tap';
import { deadlineIn } from '../deadline.js';
import { UpstreamError } from '../upstream-error.js';
import { CachingClient } from './caching-client.js';
import type { DnsRecord, DnsReply } from './dns-client.js';

const record = (type: string, ttl: number, value = 'x'): DnsRecord => ({
  type,
  name: 'a.example.com',
  ttl,
  value,
});
const replyOf = (records: DnsRecord[], negativeTtl?: number, rcode = 'NOERROR'): DnsReply => ({
  rcode,
  records,
  negativeTtl,
  server: undefined,
});

/** Returns a cache over scripted replies with a clock the test sets. */
function cacheOver(
  replies: Record<string, DnsReply | UpstreamError | Promise<DnsReply>>,
  maxBytes = 1 << 20,
) {
  const asked: string[] = [];
  const clock = { ms: 0 };
  const inner = {
    query: async (name: string, type: string): Promise<DnsReply> => {
      asked.push(`${type} ${name}`);
      const reply = await replies[`${type} ${name}`];
      if (reply === undefined || reply instanceof UpstreamError) throw reply ?? new Error('not scripted');
      return reply;
    },
  };
  const cache = new CachingClient(inner, { maxBytes, now: () => clock.ms });
  const ask = (type: string, name = 'a.example.com') => cache.query(name, type, deadlineIn(5000));
  return { cache, ask, asked, clock };
}

t.test(
  'a reply is kept until its shortest TTL expires, at most an hour, and its TTLs count down',
  async (t) => {
    const { ask, asked, clock } = cacheOver({
      'A a.example.com': replyOf([record('A', 30), record('A', 10, 'y')]),
      'TXT a.example.com': replyOf([record('TXT', 86_400)]),
    });
    await ask('A');
    await ask('TXT');
    clock.ms = 9999;
    t.same(
      (await ask('A')).records.map(({ ttl }) => ttl),
      [21, 1],
    );
    clock.ms = 10_000;
    t.same(
      (await ask('A')).records.map(({ ttl }) => ttl),
      [30, 10],
    );
    clock.ms = 3_599_999;
    t.equal((await ask('TXT')).records[0]?.ttl, 86_400 - 3599);
    clock.ms = 3_600_000;
    await ask('TXT');
    t.same(
      asked,
      ['A', 'TXT', 'A', 'TXT'].map((type) => `${type} a.example.com`),
    );
  },
);

t.test(
  'absence is kept for the time in the SOA, at most five minutes, and not at all without a SOA',
  async (t) => {
    for (const [reply, keptMs] of [
      [replyOf([], 20, 'NXDOMAIN'), 20_000],
      [replyOf([], 9000), 300_000],
      [replyOf([record('CNAME', 5)], 60), 5000],
      [replyOf([]), 0],
      [replyOf([record('A', 0)]), 0],
    ] as const) {
      const { ask, asked, clock } = cacheOver({ 'A a.example.com': reply });
      await ask('A');
      clock.ms = Math.max(0, keptMs - 1);
      await ask('A');
      t.equal(asked.length, keptMs === 0 ? 2 : 1);
      clock.ms = keptMs;
      await ask('A');
      t.equal(asked.length, keptMs === 0 ? 3 : 2);
    }
  },
);

t.test('rejects at the deadline and still caches the late reply', async (t) => {
  let answer: (reply: DnsReply) => void = () => undefined;
  const { cache, ask, asked } = cacheOver({
    'A a.example.com': new Promise<DnsReply>((resolve) => (answer = resolve)),
  });
  const patient = ask('A');
  await t.rejects(cache.query('a.example.com', 'A', deadlineIn(20)), {
    name: 'UpstreamError',
    reason: 'timeout',
  });
  answer(replyOf([record('A', 30)]));
  t.equal((await patient).records.length, 1);
  await ask('A');
  t.same(asked, ['A a.example.com']);
});

t.test('addresses are IPv4 then IPv6; an IPv6 failure is ignored; NXDOMAIN ends the search', async (t) => {
  const failed = new UpstreamError('failed', 'SERVFAIL');
  const of = (replies: Parameters<typeof cacheOver>[0]) => {
    const { cache, asked } = cacheOver(replies);
    return { asked, addresses: cache.addressesOf('a.example.com', deadlineIn(5000)) };
  };
  const a = replyOf([record('CNAME', 9), record('A', 9, '192.0.2.1')]);
  const aaaa = replyOf([record('AAAA', 9, '2001:db8::1')]);
  t.same(await of({ 'A a.example.com': a, 'AAAA a.example.com': aaaa }).addresses, [
    '192.0.2.1',
    '2001:db8::1',
  ]);
  t.same(await of({ 'A a.example.com': replyOf([]), 'AAAA a.example.com': aaaa }).addresses, ['2001:db8::1']);
  t.same(await of({ 'A a.example.com': a, 'AAAA a.example.com': failed }).addresses, ['192.0.2.1']);
  await t.rejects(of({ 'A a.example.com': replyOf([]), 'AAAA a.example.com': failed }).addresses, failed);
  const none = of({ 'A a.example.com': replyOf([], 1, 'NXDOMAIN') });
  t.same(await none.addresses, []);
  t.same(none.asked, ['A a.example.com']);
});

t.test('the cache stays within its maximum size', async (t) => {
  const big = replyOf([record('TXT', 300, 'x'.repeat(600))]);
  const replies = Object.fromEntries(['a', 'b', 'c'].map((name) => [`TXT ${name}`, big]));
  const { ask, asked } = cacheOver(replies, 2 * 1300);
  for (const name of ['a', 'b', 'c', 'c', 'b', 'a']) await ask('TXT', name);
  t.same(asked, ['TXT a', 'TXT b', 'TXT c', 'TXT a']);
});
