import { Redis } from 'ioredis';
import t from 'tap';
import { newRedisForTest } from '../../pipeline/testing/redis-server.js';
import { WatchedRedis } from '../ledger/watched-redis.js';
import { NodeCounts } from './node-counts.js';
import { CHANGES_CHANNEL } from './node-records.js';
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

t.test('each subscription is reported, because changes before it may have been missed', async (t) => {
  const { url } = await newRedisForTest(t);
  const [redis, plain] = [new WatchedRedis({ url }), new Redis(url)];
  let subscriptions = 0;
  const messages = new ProcessMessages({
    redis,
    process: 'one',
    counts: new NodeCounts(),
    log: () => undefined,
    onChange: () => undefined,
    onSubscribed: () => subscriptions++,
    run: () => Promise.reject(new Error('not asked')),
  });
  t.teardown(() => {
    messages.close();
    redis.close();
    plain.disconnect();
  });
  await until('it is subscribed', () => subscriptions === 1);
  await plain.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
  await until('it is subscribed again', () => subscriptions === 2);
  t.equal(subscriptions, 2);
});
