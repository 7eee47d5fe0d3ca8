import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { listReleases } from '../release/release-store.js';
import { verifyRelease } from '../release/verify-release.js';
import { newFaultProxyForTest } from '../testing/fault-proxy.js';
import { freePort } from '../testing/free-port.js';
import { newNamespacesForTest } from '../testing/network-namespaces.js';
import { newRedisForTest } from '../testing/redis-server.js';
import { newS3ServerForTest, S3_BUCKET, S3_CREDENTIALS } from '../testing/s3-server.js';
import { copyFeeds, openGeo, outputFolder, served } from './testing/command-line.js';
import { startOn, type MachineProcess } from './testing/machine.js';

/**
 * Two workers and two servers, each with an output folder and (where possible) a network of its own, a build, one Redis,
 * and an S3 server behind a proxy that injects faults. The tests are the nights of one history, in order.
 */
const found = newNamespacesForTest(t, 4);
const isolated = typeof found === 'string' ? undefined : found;
const host = isolated?.hostAddress ?? '127.0.0.1';
const prefixOf = (i: number): readonly string[] => isolated?.machines[i]?.prefix ?? [];
const addressOf = (i: number): string => isolated?.machines[i]?.address ?? '127.0.0.1';

const s3 = await newS3ServerForTest(t, t.testdir());
const proxy = await newFaultProxyForTest(t, s3.port, host);
const { url: REDIS_URL } = await newRedisForTest(t, host);
const shared = {
  ...S3_CREDENTIALS,
  REDIS_URL,
  STORE: `s3://${S3_BUCKET}/nightly`,
  AWS_ENDPOINT_URL: `http://${host}:${proxy.port}`,
};
const FEEDS = copyFeeds(t);
const OVERRIDES = readFileSync(join(FEEDS, 'own/overrides.csv'), 'utf8');
const built = outputFolder(t);
const outputs = Array.from({ length: 4 }, () => outputFolder(t));
/** The country of 9.9.9.9 in each published release. */
const countries = new Map<string, string>();

const startBuild = (): MachineProcess =>
  startOn(t, [], { ...shared, FEEDS, OUTPUT: built, BUILD_FEEDS: 'own' }, 'build');
const startWorker = async (i: number): Promise<MachineProcess> => {
  const worker = startOn(t, prefixOf(i), { ...shared, OUTPUT: outputs[i]! }, 'worker');
  await worker.saw('waiting for jobs');
  return worker;
};

/** A server on machine 2 or 3, which is always reached at the same address. */
class Server {
  running: MachineProcess | undefined;

  private constructor(
    readonly i: number,
    readonly port: number,
  ) {}

  static async start(i: number): Promise<Server> {
    const server = new Server(i, await freePort());
    await server.start();
    return server;
  }

  async start(): Promise<void> {
    const settings = {
      HOST: addressOf(this.i),
      PORT: String(this.port),
      METRICS_PORT: '0',
      STORE_POLL_MS: '100',
    };
    const OUTPUT = outputs[this.i]!;
    this.running = startOn(
      t,
      prefixOf(this.i),
      { ...shared, ...settings, OUTPUT, RELEASE_POLL_MS: '50' },
      'serve',
    );
    await this.running.saw('listening on');
  }

  /** Returns the release that is served, and checks that the answer of a lookup is of that release. */
  async release(): Promise<string | null> {
    const url = `http://${addressOf(this.i)}:${this.port}`;
    const { release } = (await (await fetch(`${url}/readyz`)).json()) as { release: string | null };
    const answer = await fetch(`${url}/api/ip/9.9.9.9`);
    const { data } = (await answer.json()) as { data?: { country_code?: string } };
    const id = answer.headers.get('x-data-build');
    const expected = id === null ? undefined : countries.get(id);
    if (expected !== undefined && data?.country_code !== expected)
      throw new Error(`${id} answers ${data?.country_code}; expected ${expected}`);
    return release;
  }

  async untilServes(id: string): Promise<void> {
    while ((await this.release()) !== id) await sleep(50);
  }
}

/** Writes tonight's override of 9.9.9.0/24. */
const newNight = (country: string): void => {
  writeFileSync(join(FEEDS, 'own/overrides.csv'), `${OVERRIDES}9.9.9.0/24,${country},,,,,Quad9,,\n`);
};

/** Waits for a build, and checks that both servers serve its release, and that every release there is whole. */
async function finish(build: MachineProcess, country: string): Promise<string> {
  const code = await build.ended;
  if (code !== 0) throw new Error(`the build ended with ${code}:\n${build.output()}`);
  const { id } = await served(built);
  const geo = openGeo(built)('9.9.9.9');
  if (geo?.country?.iso_code !== country) throw new Error(`${id} has ${geo?.country?.iso_code}`);
  countries.set(id, country);
  for (const server of servers) {
    await server.untilServes(id);
    for (const { dir } of await listReleases(outputs[server.i]!)) await verifyRelease(dir);
  }
  return id;
}

const workers = [await startWorker(0), await startWorker(1)];
const servers = [await Server.start(2), await Server.start(3)];

t.test('each machine has a network of its own', { skip: typeof found === 'string' && found }, (t) => {
  t.equal(isolated?.machines.length, 4);
  t.end();
});

t.test('a night of several machines reaches servers that never built anything', async (t) => {
  newNight('CH');
  t.equal(await servers[0]!.release(), null);
  await finish(startBuild(), 'CH');
  t.match(workers.map(({ output }) => output()).join(''), /: done/, 'a worker has done a job');
});

t.test('a killed worker, a store that goes away, and a server killed in its download', async (t) => {
  newNight('FR');
  const last = await servers[0]!.release();
  const build = startBuild();
  const [worker] = workers;
  const doneBefore = worker!.output().length;
  let isGone = false;
  proxy.onRequest = (method, path) => {
    if (isGone || method !== 'PUT' || !path.includes('/kept/')) return;
    isGone = true;
    proxy.fault = 'gone';
    setTimeout(() => (proxy.fault = undefined), 3000);
  };
  while (!/started/.test(worker!.output().slice(doneBefore)) && build.child.exitCode === null)
    await sleep(20);
  await worker!.kill();
  await build.saw('compile:geo: started');
  t.ok(isGone, 'the store was away');
  t.equal(await servers[0]!.release(), last, 'the last release stays');
  let isMoved = false;
  let killed: Promise<void> | undefined;
  proxy.onRequest = (method, path) => {
    isMoved ||= method === 'PUT' && path.includes('/current');
    if (isMoved && method === 'GET' && path.includes('/objects/')) killed ??= servers[1]!.running!.kill();
  };
  await build.ended;
  t.ok(killed, 'a server was killed after current had moved');
  await killed;
  await servers[1]!.start();
  await finish(build, 'FR');
  const all = [build, ...workers, servers[0]!.running!].map(({ output }) => output()).join('');
  t.match(all, /does not respond|cannot be followed/);
});

t.test('a build killed in its publication is continued, and current is never torn', async (t) => {
  newNight('JP');
  const last = await servers[0]!.release();
  const build = startBuild();
  let killed: Promise<void> | undefined;
  proxy.onRequest = (method, path) => {
    if (method === 'PUT' && path.includes('/releases/')) killed ??= build.kill();
  };
  await build.ended;
  t.ok(killed, 'it was killed before current has moved');
  proxy.onRequest = () => undefined;
  await sleep(300);
  for (const server of servers) t.equal(await server.release(), last);
  workers.push(await startWorker(0));
  await finish(startBuild(), 'JP');
});

t.test('servers that lose the store, or their network, serve on and catch up', async (t) => {
  const last = await servers[0]!.release();
  await s3.kill();
  for (const { running } of servers) await running!.saw('cannot be followed');
  await servers[0]!.running!.kill();
  await servers[0]!.start();
  await servers[0]!.untilServes(last!);
  await s3.start();
  await servers[1]!.running!.saw('is followed again');
  isolated?.machines[3]?.cut();
  newNight('DE');
  const build = startBuild();
  await build.ended;
  isolated?.machines[3]?.mend();
  await finish(build, 'DE');
  t.not(await servers[1]!.release(), last);
});
