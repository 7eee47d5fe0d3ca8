import { once } from 'node:events';
import { Redis } from 'ioredis';
import t, { type Test } from 'tap';
import { newRedisForTest } from '../../pipeline/testing/redis-server.js';
import { deadlineIn } from '../deadline.js';
import { WatchedRedis } from '../ledger/watched-redis.js';
import { NodeCounts } from './node-counts.js';
import { CHANGES_CHANNEL, processChannel } from './node-records.js';
import { ProcessMessages } from './process-messages.js';
import { FakeNode } from './testing/fake-node.js';
import { place, startNodeServer, testNodeStore } from './testing/node-server.js';
import { until } from './testing/until.js';

t.test('an invalid message between processes is logged, and the next ones are received', async (t) => {
  const { url } = await newRedisForTest(t);
  const server = await startNodeServer(t, url);
  const plain = new Redis(url);
  t.teardown(() => {
    plain.disconnect();
  });
  await until('the server is subscribed', async () => (await plain.publish(CHANGES_CHANNEL, '{')) === 1);
  const [channel = ''] = (await plain.pubsub('CHANNELS', 'ipatlas:nodes:process:*')) as string[];
  t.equal(await plain.publish(CHANGES_CHANNEL, '{"kind":"of another version"}'), 1);
  t.equal(await plain.publish(channel, '{"kind":"of another version"}'), 1);
  t.equal(await plain.publish(channel, 'no JSON'), 1);
  const invalid = () => server.lines.filter((line) => line.startsWith('invalid message between processes: '));
  await until('all four are logged', () => invalid().length >= 4);
  t.equal(invalid().length, 4);
  const { token } = await (await testNodeStore(t, url)).add(place('later'));
  await FakeNode.ready(server.url, token);
  t.match(await server.online('later'), { code: 'later' });
});

/** Opens the messages of a process. Returns the number of subscriptions so far. */
function messagesOf(t: Test, url: string) {
  const redis = new WatchedRedis({ url });
  const subscriptions = { count: 0 };
  const messages = new ProcessMessages({
    redis,
    process: 'one',
    counts: new NodeCounts(),
    log: () => undefined,
    onChange: () => undefined,
    onSubscribed: () => subscriptions.count++,
    run: () => Promise.reject(new Error('not asked')),
  });
  t.teardown(() => {
    messages.close();
    redis.close();
  });
  return { messages, subscriptions };
}

const PROBE = { node: 1, host: 'example.com', port: 443 };

t.test('each subscription is reported, because changes before it may have been missed', async (t) => {
  const { url } = await newRedisForTest(t);
  const plain = new Redis(url);
  t.teardown(() => {
    plain.disconnect();
  });
  const { subscriptions } = messagesOf(t, url);
  await until('it is subscribed', () => subscriptions.count === 1);
  await plain.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
  await until('it is subscribed again', () => subscriptions.count === 2);
  t.equal(subscriptions.count, 2);
});

t.test('a question to a process that is gone is refused at once', async (t) => {
  const { url } = await newRedisForTest(t);
  const { messages, subscriptions } = messagesOf(t, url);
  await until('it is subscribed', () => subscriptions.count === 1);
  t.same(await messages.ask('gone', PROBE, deadlineIn(600_000)), { kind: 'refused' });
});

t.test('questions without an answer end as silent when the process closes', async (t) => {
  const { url } = await newRedisForTest(t);
  const silent = new Redis(url);
  t.teardown(() => {
    silent.disconnect();
  });
  await silent.subscribe(processChannel('silent'));
  const asked = once(silent, 'message');
  const { messages, subscriptions } = messagesOf(t, url);
  await until('it is subscribed', () => subscriptions.count === 1);
  const answer = messages.ask('silent', PROBE, deadlineIn(600_000));
  await asked;
  messages.close();
  t.same(await answer, { kind: 'silent' });
});

t.test('without a subscription no question is sent, because its answer would be lost', async (t) => {
  const { url, pid } = await newRedisForTest(t);
  const { messages, subscriptions } = messagesOf(t, url);
  await until('it is subscribed', () => subscriptions.count === 1);
  process.kill(pid, 'SIGKILL');
  await until('the loss is noticed', async () => {
    const error: unknown = await messages
      .ask('gone', PROBE, deadlineIn(600_000))
      .catch((error: unknown) => error);
    return error instanceof Error && error.message === 'not subscribed to answers in Redis';
  });
});
