import { Redis } from 'ioredis';
import t from 'tap';
import { newRedisForTest } from '../../pipeline/testing/redis-server.js';
import { CHANGES_CHANNEL } from './node-records.js';
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
