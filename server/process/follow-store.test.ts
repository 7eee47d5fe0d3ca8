import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { buildLockPath, releaseDir } from '../../pipeline/release/release-store.js';
import { rollback } from '../../pipeline/release/rollback.js';
import { verifyRelease } from '../../pipeline/release/verify-release.js';
import { openStore } from '../../pipeline/store/open-store.js';
import { RemoteTier } from '../../pipeline/store/remote-tier.js';
import { shareCurrent } from '../../pipeline/store/share-release.js';
import { shortDir } from '../../pipeline/testing/child-process.js';
import { newRedisForTest } from '../../pipeline/testing/redis-server.js';
import { serveProcess, type ServedProcess } from '../testing/served-process.js';
import { publishSmallRelease } from '../testing/small-release.js';

/** A build with a store in a folder, and an output folder for a server. */
async function world(t: Test) {
  const [built, OUTPUT] = [shortDir(t), shortDir(t)];
  const root = join(shortDir(t), 'store');
  const { url: REDIS_URL } = await newRedisForTest(t);
  const settings = { OUTPUT, REDIS_URL, STORE: `file:${root}`, STORE_POLL_MS: '50' };
  const remote = new RemoteTier(() => openStore({ kind: 'folder', url: '', path: root }), {
    log: () => undefined,
  });
  const share = () => shareCurrent(built, remote);
  const publish = async (marker: string): Promise<string> => {
    const id = await publishSmallRelease(built, { marker });
    await share();
    return id;
  };
  return { built, OUTPUT, root, settings, share, publish };
}

async function untilServed({ url }: ServedProcess, id: string): Promise<void> {
  for (;;) {
    const { release } = (await (await fetch(`${url}/readyz`)).json()) as { release: string | null };
    if (release === id) return;
    await sleep(20);
  }
}

const storeAge = async ({ metricsUrl }: ServedProcess): Promise<number> =>
  Number(/^ipatlas_store_check_age_seconds (\d+)$/m.exec(await (await fetch(metricsUrl)).text())?.[1]);

t.test('a server that never built anything serves the releases of a store', async (t) => {
  const { built, OUTPUT, root, settings, share, publish } = await world(t);
  const server = await serveProcess(t, settings);
  t.match(server.lines.at(-1)?.msg, `no release until one comes from the store file:${root}`);
  t.equal((await fetch(`${server.url}/readyz`)).status, 503);
  const one = await publish('one');
  await untilServed(server, one);
  await server.saw(({ msg }) => msg?.startsWith(`release ${one} came from file:`) === true);
  const two = await publish('two');
  await untilServed(server, two);
  await rollback(built);
  await share();
  await untilServed(server, one);
  const age = await storeAge(server);
  t.ok(age >= 0 && age < 60, `${age} s`);
  for (const id of [one, two]) await verifyRelease(releaseDir(OUTPUT, id));
  server.child.kill('SIGTERM');
  t.same(await server.ended, { code: 0, stderr: '' });
});

t.test('several processes serve the release that one of them fetched, also without the store', async (t) => {
  const { OUTPUT, root, settings, publish } = await world(t);
  const one = await publish('one');
  const server = await serveProcess(t, settings, '--workers', '2');
  await untilServed(server, one);
  renameSync(root, `${root}-gone`);
  const { msg } = await server.saw(({ msg }) => msg?.includes('cannot be followed') === true);
  t.match(msg, 'current: is missing; the last release stays');
  server.child.kill('SIGKILL');
  await server.ended;
  const again = await serveProcess(t, settings);
  // The release and the missing store are reported in any order.
  await again.saw(({ msg }) => msg?.includes(`serving release ${one}`) === true);
  await again.saw(({ msg }) => msg?.includes('cannot be followed') === true);
  renameSync(`${root}-gone`, root);
  await again.saw(({ msg }) => msg === `the store file:${root} is followed again`);
  const two = await publish('two');
  await untilServed(again, two);
  t.equal(again.lines.filter(({ msg }) => msg?.includes('cannot be followed')).length, 1, 'one line');
  t.same(readdirSync(join(OUTPUT, 'releases')).sort(), [one, two].sort());
});

t.test('a server beside the build serves what is built there', async (t) => {
  const { OUTPUT, settings, publish } = await world(t);
  await publish('one');
  mkdirSync(OUTPUT, { recursive: true });
  writeFileSync(buildLockPath(OUTPUT), '');
  const id = await publishSmallRelease(OUTPUT, { marker: 'built here' });
  const server = await serveProcess(t, settings);
  await server.saw(({ msg }) => msg?.startsWith(`releases are built in ${OUTPUT}, so the store`) === true);
  await untilServed(server, id);
  t.notOk(existsSync(join(OUTPUT, 'follow.lock')));
});

t.test('an invalid STORE ends the start, and its text is not repeated', async (t) => {
  const { settings } = await world(t);
  const failed = await serveProcess(t, { ...settings, STORE: 'https://user:secret@x' }).catch(String);
  t.match(failed, /ended \(64\).*invalid STORE: expected s3:/);
  t.notMatch(failed, /secret/);
});
