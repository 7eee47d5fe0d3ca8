import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { currentId, releaseDir } from '../release/release-store.js';
import { publishExample } from '../release/testing/example-release.js';
import { verifyRelease } from '../release/verify-release.js';
import { newFaultProxyForTest, PROXY_FAULTS } from '../testing/fault-proxy.js';
import { newS3ServerForTest, S3_BUCKET, S3_CREDENTIALS } from '../testing/s3-server.js';
import { CurrentFollower } from './current-follower.js';
import { openStore } from './open-store.js';
import { CURRENT_KEY, readPointer } from './release-pointer.js';
import { RemoteTier } from './remote-tier.js';
import { shareCurrent } from './share-release.js';
import { parseStoreAddress } from './store-address.js';
import { testStore } from './testing/store-contract.js';
import { contentKey } from './verified-read.js';

Object.assign(process.env, S3_CREDENTIALS);

const dir = t.testdir({ s3: {} });
const s3 = await newS3ServerForTest(t, join(dir, 's3'));
const proxy = await newFaultProxyForTest(t, s3.port);

/** Opens a store in the bucket, directly or through the proxy. */
const storeAt = async (t: Test, port: number, prefix: string) => {
  const AWS_ENDPOINT_URL = `http://127.0.0.1:${port}`;
  const store = await openStore(
    parseStoreAddress({ STORE: `s3://${S3_BUCKET}/${prefix}`, AWS_ENDPOINT_URL })!,
  );
  t.teardown(() => {
    store.close();
  });
  return store;
};

// s3rver ignores the conditions of a put.
testStore(t, await storeAt(t, s3.port, 'contract'), { hasConditions: false });

t.test('a folder of finished work and content come back from a bucket', async (t) => {
  const store = await storeAt(t, s3.port, 'tier');
  const remote = new RemoteTier(() => Promise.resolve(store), { log: () => undefined });
  const [from, to] = [join(dir, 'from'), join(dir, 'to')];
  mkdirSync(from);
  writeFileSync(join(from, 'rows'), 'rows');
  await remote.pushFolder('tables/own-0123456789abcdef', from);
  t.ok(await remote.pullFolder('tables/own-0123456789abcdef', to));
  t.equal(readFileSync(join(to, 'rows'), 'utf8'), 'rows');
});

/** A build that publishes to the bucket directly, and a follower that reads it through the proxy. */
async function followed(t: Test, name: string) {
  const [built, here] = [join(dir, name, 'built'), join(dir, name, 'here')];
  const direct = await storeAt(t, s3.port, name);
  const remote = new RemoteTier(() => Promise.resolve(direct), { log: () => undefined });
  const follower = new CurrentFollower({
    store: await storeAt(t, proxy.port, name),
    outputDir: here,
    keep: 2,
  });
  const publish = async (epoch: number): Promise<string> => {
    const id = await publishExample(built, epoch);
    await shareCurrent(built, remote);
    return id;
  };
  return { here, direct, follower, publish };
}

for (const [i, fault] of PROXY_FAULTS.entries()) {
  t.test(
    `a follower that meets the fault "${fault}" keeps its release whole, and goes on after it`,
    async (t) => {
      const { here, follower, publish } = await followed(t, `fault-${i}`);
      const one = await publish(1);
      t.match(await follower.poll(), { state: 'moved', id: one });
      const two = await publish(2);
      for (const part of ['current', 'objects/']) {
        proxy.hits = (_method, path) => path.includes(part);
        proxy.fault = fault;
        const before = proxy.faults;
        const outcome = await follower.poll().then(
          ({ state }) => state,
          (error: unknown) => (error as Error).name,
        );
        t.ok(proxy.faults > before, `${part} was hit`);
        proxy.fault = undefined;
        t.match(
          outcome,
          fault === 'slow' ? /^(moved|unchanged)$/ : /^(Transient|Store|WrongContent)Error$/,
          part,
        );
        const id = await currentId(here);
        t.equal(id, fault === 'slow' ? two : one);
        await verifyRelease(releaseDir(here, id!));
        if (fault === 'slow') return;
      }
      t.match(await follower.poll(), { state: 'moved', id: two });
      await verifyRelease(releaseDir(here, two));
    },
  );
}

t.test('an upload that is broken off anywhere never moves current to a torn release', async (t) => {
  const { direct, follower, publish, here } = await followed(t, 'upload');
  const one = await publish(1);
  await follower.poll();
  const built = join(dir, 'upload', 'built');
  const two = await publishExample(built, 2);
  const through = await storeAt(t, proxy.port, 'upload');
  proxy.fault = '503';
  for (let puts = 0; ; puts++) {
    let passed = 0;
    proxy.hits = (method) => method === 'PUT' && passed++ >= puts;
    const remote = new RemoteTier(() => Promise.resolve(through), { log: () => undefined, patienceMs: 0 });
    const shared = await shareCurrent(built, remote).catch((error: unknown) => {
      t.match(error, { name: 'StoreError', message: /HTTP 503/ });
    });
    if (shared) break;
    t.equal((await readPointer(direct, CURRENT_KEY))?.id, one, `after ${puts} uploads`);
    t.ok(puts < 9);
  }
  proxy.fault = undefined;
  t.match(await follower.poll(), { state: 'moved', id: two });
  await verifyRelease(releaseDir(here, two));
});

t.test('a store that is killed and started again is followed again', async (t) => {
  const { here, direct, follower, publish } = await followed(t, 'killed');
  const one = await publish(1);
  await follower.poll();
  await s3.kill();
  await t.rejects(follower.poll(), { name: 'TransientError' });
  t.equal(await currentId(here), one);
  await s3.start();
  t.ok(await direct.head(contentKey((await readPointer(direct, CURRENT_KEY))!.manifest.sha256)));
  const two = await publish(2);
  t.match(await follower.poll(), { state: 'moved', id: two });
});
