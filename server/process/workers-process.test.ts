import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { shortDir, untilGone } from '../../pipeline/testing/child-process.js';
import { newRedisForTest } from '../../pipeline/testing/redis-server.js';
import { ipatlas, start } from '../../pipeline/testing/command-line.js';
import { freePort } from '../../pipeline/testing/free-port.js';
import { openSocket } from '../testing/raw-http.js';
import { serveProcess, type ServedProcess } from '../testing/served-process.js';
import { publishSmallRelease } from '../testing/small-release.js';

/** Calls over new connections until two processes other than `notThis` have answered. Returns their ids. */
async function answering(server: ServedProcess, notThis?: number): Promise<number[]> {
  const pids = new Set<number>();
  while (pids.size < 2) {
    // Between a worker's end and its replacement connections may break.
    const init = { headers: { Connection: 'close' } };
    const asked = await fetch(`${server.url}/healthz`, init).catch(() => undefined);
    await asked?.text();
    for (const { pid, path } of server.lines) if (path === '/healthz' && pid !== notThis) pids.add(pid);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return [...pids];
}

t.test(
  'two worker processes share a port, are replaced, follow releases, and end with the primary',
  async (t) => {
    const OUTPUT = shortDir(t);
    await publishSmallRelease(OUTPUT);
    const { url: REDIS_URL } = await newRedisForTest(t);
    const RELEASE_POLL_MS = '86400000';
    const server = await serveProcess(t, { OUTPUT, REDIS_URL, RELEASE_POLL_MS }, '--workers', '2');
    const [first = 0] = await answering(server);
    process.kill(first, 'SIGKILL');
    await server.saw(
      ({ msg }) => msg?.startsWith(`worker process ${first} ended (SIGKILL); a new one`) === true,
    );
    const pids = await answering(server, first);
    t.notOk(pids.includes(first));

    const id = await publishSmallRelease(OUTPUT, { buildEpoch: 1_800_000_000 });
    server.child.kill('SIGHUP');
    for (const pid of pids)
      await server.saw((line) => line.pid === pid && line.msg?.startsWith(`serving release ${id}`) === true);

    const metrics = await (await fetch(server.metricsUrl)).text();
    t.match(metrics, /^ipatlas_log_lines_dropped_total 0$/m);
    t.match(metrics, new RegExp(`^ipatlas_release_info\\{id="${id}"\\} 1$`, 'm'));
    t.match(metrics, /^ipatlas_requests_total\{[^}]*route="\/healthz"[^}]*\} \d+$/m);

    server.child.kill('SIGKILL');
    for (const pid of pids) await untilGone(pid);
  },
);

t.test('a stop signal ends all processes', async (t) => {
  const OUTPUT = shortDir(t);
  await publishSmallRelease(OUTPUT);
  const { url: REDIS_URL } = await newRedisForTest(t);
  const server = await serveProcess(t, { OUTPUT, REDIS_URL }, '--workers', '2');
  t.match(server.lines, [{ msg: /, 2 processes$/ }], 'one start line');
  server.child.kill('SIGTERM');
  t.same(await server.ended, { code: 0, stderr: '' });
});

t.test('a stop signal during the start ends all processes when they have started', async (t) => {
  const OUTPUT = shortDir(t);
  const { url: REDIS_URL } = await newRedisForTest(t);
  const PORT = String(await freePort());
  const settings = { OUTPUT, REDIS_URL, PORT, HOST: '127.0.0.1', METRICS_PORT: '0' };
  const { child, ended } = start(t, settings, 'serve', '--workers', '2');
  let isStarted = false;
  child.stdout!.on('data', (chunk: Buffer) => (isStarted ||= chunk.includes('listening on')));
  const isUp = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${PORT}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  // The second process starts after the first one answers.
  while (!(await isUp()) && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 10));
  t.notOk(isStarted, 'it is still starting');
  child.kill('SIGHUP');
  child.kill('SIGTERM');
  const { code, stdout, stderr } = await ended;
  t.equal(code, 0);
  t.equal(stderr, '');
  t.match(stdout, /received SIGTERM, finishing running requests/);
});

t.test(
  'decision 59: processes share the limit of connections, and none goes around between them',
  async (t) => {
    const OUTPUT = shortDir(t);
    const { url: REDIS_URL } = await newRedisForTest(t);
    const server = await serveProcess(t, { OUTPUT, REDIS_URL, MAX_CONNECTIONS: '4' }, '--workers', '2');
    const sockets: Socket[] = [];
    t.teardown(() => {
      for (const socket of sockets) socket.destroy();
    });
    const statuses: string[] = [];
    for (let i = 0; i < 12; i++) {
      const socket = openSocket(server.url);
      sockets.push(socket);
      // The request runs until its body arrives.
      socket.write(
        'POST /api/ip/batch HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n',
      );
      const [chunk] = (await once(socket, 'data')) as [Buffer];
      statuses.push(chunk.toString().slice(9, 12));
    }
    t.same(statuses, [...Array<string>(4).fill('100'), ...Array<string>(8).fill('503')]);
  },
);

t.test('a worker without a primary ends without output', async (t) => {
  const worker = fork(fileURLToPath(new URL('worker.js', import.meta.url)), { silent: true });
  t.teardown(() => worker.kill('SIGKILL'));
  worker.disconnect();
  const [said, ended] = await Promise.all([text(worker.stderr!), once(worker, 'exit')]);
  t.equal(said, '');
  t.same(ended, [0, null]);
});

t.test('a port in use is reported in one line, with one process and with several', async (t) => {
  const taken = createServer().listen(0);
  t.teardown(() => taken.close());
  await once(taken, 'listening');
  const PORT = String((taken.address() as AddressInfo).port);
  const settings = {
    OUTPUT: shortDir(t),
    REDIS_URL: 'redis://127.0.0.1:1',
    PORT,
    HOST: '',
    METRICS_PORT: '0',
  };
  for (const workers of ['1', '2']) {
    const { code, stderr } = await ipatlas(
      t,
      { ...settings, LOG_LEVEL: 'silent' },
      'serve',
      '--workers',
      workers,
    );
    t.equal(code, 1);
    t.equal(stderr, `ipatlas: port ${PORT} is in use: stop the process that listens on it, or set PORT\n`);
  }
});
