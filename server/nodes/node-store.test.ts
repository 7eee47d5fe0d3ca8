import { Redis } from 'ioredis';
import t from 'tap';
import { newRedisForTest } from '../../pipeline/testing/redis-server.js';
import { CHANGES_CHANNEL, nodeKeys } from './node-records.js';
import { NodeError } from './node-store.js';
import { place, testNodeStore } from './testing/node-server.js';
import { until } from './testing/until.js';

const { url } = await newRedisForTest(t);
const store = await testNodeStore(t, url);

t.test('of concurrent rotations one succeeds, and only its token is valid', async (t) => {
  const { token: old } = await store.add(place('rotated'));
  const results = await Promise.allSettled([store.rotate('rotated'), store.rotate('rotated')]);
  const done = results.filter((result) => result.status === 'fulfilled');
  const refused = results.filter((result) => result.status === 'rejected');
  t.equal(done.length, 1);
  t.equal(refused.length, 1);
  t.ok(refused[0]?.reason instanceof NodeError);
  t.match(refused[0]?.reason, { message: 'node rotated was changed at the same time; try again' });
  t.match(await store.admit(done[0]!.value.token), { node: place('rotated') });
  t.equal(await store.admit(old), undefined);
});

t.test('a rotation and a removal are published, so that the connection of the old token ends', async (t) => {
  const redis = new Redis(url);
  t.teardown(() => {
    redis.disconnect();
  });
  const published: unknown[] = [];
  redis.on('message', (_, text) => published.push(JSON.parse(text)));
  await redis.subscribe(CHANGES_CHANNEL);
  const { node } = await store.add(place('published'));
  await store.rotate('published');
  await store.remove('published');
  const revoked = { kind: 'revoked', node: node.id };
  await until('both are received', () => published.length >= 2);
  t.same(published, [revoked, revoked]);
});

t.test('of concurrent removals one succeeds', async (t) => {
  const { token } = await store.add(place('gone'));
  const results = await Promise.allSettled([store.remove('gone'), store.remove('gone')]);
  t.same(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  t.equal(await store.admit(token), undefined);
  await t.rejects(store.rotate('gone'), NodeError);
});

t.test('a code can be registered once at a time', async (t) => {
  const first = await store.add(place('once'));
  await t.rejects(store.add(place('once', 'FR')), new NodeError('node once already exists'));
  t.match(await store.admit(first.token), { node: { id: first.node.id, ...place('once') } });
  await store.remove('once');
  const second = await store.add(place('once', 'FR'));
  t.ok(second.node.id > first.node.id);
  const listed = (await store.list()).filter(({ code }) => code === 'once');
  t.match(listed, [{ id: second.node.id, country_code: 'FR', presence: undefined, lastSeen: undefined }]);
});

t.test('a token whose node is removed while it is checked is not admitted', async (t) => {
  const { node, token } = await store.add(place('half-removed'));
  const redis = new Redis(url);
  t.teardown(() => {
    redis.disconnect();
  });
  t.equal(await redis.hdel(nodeKeys(false).registered, String(node.id)), 1);
  t.equal(await store.admit(token), undefined);
});
