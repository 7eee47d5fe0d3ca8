import t, { type Test } from 'tap';
import { Failure } from '../failure.js';
import { DnsServer, type DnsReply } from '../testing/dns-server.js';
import { CachingClient } from './caching-client.js';
import { FirstAddress } from './first-address.js';
import { StubClient } from './stub-client.js';

/** Returns a resolver over a real name server that runs until the test ends. */
async function resolverOf(test: Test, replies: Record<string, DnsReply>, budgetMs = 5000) {
  const server = await DnsServer.start(replies);
  test.teardown(() => server.close());
  const dns = new CachingClient(new StubClient({ servers: [server.address], budgetMs }), { budgetMs });
  return { server, resolver: new FirstAddress(dns, budgetMs) };
}

t.test('decision 18: a name resolves to its first A, otherwise to its first AAAA record', async (t) => {
  const { resolver } = await resolverOf(t, {
    'both.example.com': { addresses: ['2001:db8::9', '192.0.2.7', '192.0.2.3'] },
    'six.example.com': { addresses: ['2001:db8::2', '2001:db8::1'] },
  });
  t.equal(await resolver.resolve('both.example.com'), '192.0.2.7');
  t.equal(await resolver.resolve('six.example.com'), '2001:db8::2');
});

t.test('decision 18: a name that does not exist or has no address is absent', async (t) => {
  const { resolver, server } = await resolverOf(t, { 'empty.example.com': { addresses: [] } });
  t.equal(await resolver.resolve('no.example.com'), undefined);
  t.equal(await resolver.resolve('empty.example.com'), undefined);
  t.ok(server.asked.includes('AAAA empty.example.com'));
});

t.test('decision 11: a failing or silent server is an upstream failure, not an absent name', async (t) => {
  const { resolver } = await resolverOf(
    t,
    { 'broken.example.com': 'servfail', 'quiet.example.com': 'silence' },
    300,
  );
  await t.rejects(resolver.resolve('broken.example.com'), { code: 502, status: 502 });
  await t.rejects(resolver.resolve('quiet.example.com'), Failure);
});

t.test('failures are not cached: the next query is answered', async (t) => {
  const { resolver, server } = await resolverOf(t, { 'late.example.com': 'servfail' });
  await t.rejects(resolver.resolve('late.example.com'), Failure);
  server.replies.set('late.example.com', { addresses: ['192.0.2.1'] });
  t.equal(await resolver.resolve('late.example.com'), '192.0.2.1');
});

t.test('answers are cached for their TTL, also for absent names', async (t) => {
  const { resolver, server } = await resolverOf(t, { 'kept.example.com': { addresses: ['192.0.2.1'] } });
  await resolver.resolve('kept.example.com');
  await resolver.resolve('none.example.com');
  const asked = server.asked.length;
  t.equal(await resolver.resolve('kept.example.com'), '192.0.2.1');
  t.equal(await resolver.resolve('none.example.com'), undefined);
  t.equal(server.asked.length, asked);
});

t.test('an answer with TTL 0 is not cached', async (t) => {
  const { resolver, server } = await resolverOf(t, {
    'brief.example.com': { addresses: ['192.0.2.1'], ttl: 0 },
  });
  await resolver.resolve('brief.example.com');
  server.replies.set('brief.example.com', { addresses: ['192.0.2.2'], ttl: 0 });
  t.equal(await resolver.resolve('brief.example.com'), '192.0.2.2');
});

t.test('concurrent callers with one name share one query', async (t) => {
  const { resolver, server } = await resolverOf(t, { 'busy.example.com': { addresses: ['192.0.2.1'] } });
  const answers = await Promise.all(Array.from({ length: 50 }, () => resolver.resolve('busy.example.com')));
  t.same(new Set(answers), new Set(['192.0.2.1']));
  t.same(server.asked, ['A busy.example.com']);
});

t.test('NXDOMAIN applies to both address types: no AAAA query is sent', async (t) => {
  const { resolver, server } = await resolverOf(t, {});
  t.equal(await resolver.resolve('none.example.com'), undefined);
  t.same(server.asked, ['A none.example.com']);
});

t.test('a name server that is not an address is rejected at startup', (t) => {
  for (const text of ['dns.example.com', '1.2.3', '127.0.0.1:0', '127.0.0.1:70000', '[::1', '::1]:53', ''])
    t.throws(() => new StubClient({ servers: [text] }), { name: 'AssertionError' }, text);
  t.end();
});
