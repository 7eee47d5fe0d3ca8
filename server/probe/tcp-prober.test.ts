import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { ProbeRefused } from './prober.js';
import { TcpProber } from './tcp-prober.js';
import { acceptingTarget, closedPort, silentTarget } from './testing/tcp-targets.js';

const ip = '127.0.0.1';

t.test(
  'decision 32: attempts run sequentially 100 ms apart, and each has a round trip with two decimals',
  async (t) => {
    const { port, connectedMs } = await acceptingTarget(t);
    const rtts = await new TcpProber().probe({ ip, port, count: 3, timeoutMs: 3000 });
    t.equal(rtts.length, 3);
    for (const rtt of rtts) {
      t.ok(rtt !== null && rtt >= 0 && rtt < 3000);
      t.equal(rtt, Number(rtt?.toFixed(2)));
    }
    t.equal(connectedMs.length, 3);
    for (const i of [1, 2]) t.ok(connectedMs[i]! - connectedMs[i - 1]! >= 90);
  },
);

t.test('a connection is closed immediately without sending data', async (t) => {
  const said: Buffer[] = [];
  const ended = new Promise((resolve) => {
    void acceptingTarget(t, {
      onSocket: (socket) => socket.on('data', (bytes: Buffer) => said.push(bytes)).once('close', resolve),
    }).then(({ port }) => new TcpProber().probe({ ip, port, count: 1, timeoutMs: 3000 }));
  });
  await ended;
  t.same(said, []);
});

t.test('probes IPv6 addresses', async (t) => {
  const { port } = await acceptingTarget(t, { host: '::1' });
  t.match(await new TcpProber().probe({ ip: '::1', port, count: 1, timeoutMs: 3000 }), [Number]);
});

t.test('decision 32: a refused attempt is null', async (t) => {
  const port = await closedPort();
  t.same(await new TcpProber().probe({ ip, port, count: 2, timeoutMs: 3000 }), [null, null]);
});

t.test('decision 32: an unreachable target is null', async (t) => {
  // Loopback has no route to a link-local multicast address, whatever network the machine is on.
  t.same(await new TcpProber().probe({ ip: '255.255.255.255', port: 9, count: 1, timeoutMs: 200 }), [null]);
});

t.test(
  'decision 32: a target that resets immediately yields a time or null, depending on which event is seen first',
  async (t) => {
    const { port } = await acceptingTarget(t, { onSocket: (socket) => socket.resetAndDestroy() });
    const rtts = await new TcpProber().probe({ ip, port, count: 2, timeoutMs: 3000 });
    t.equal(rtts.length, 2);
    for (const rtt of rtts) t.ok(rtt === null || rtt >= 0);
  },
);

t.test('decision 32: an unanswered attempt is null at its timeout, and the next one starts', async (t) => {
  const { port } = await silentTarget(t);
  const startedMs = performance.now();
  t.same(await new TcpProber().probe({ ip, port, count: 3, timeoutMs: 150 }), [null, null, null]);
  const tookMs = performance.now() - startedMs;
  t.ok(tookMs >= 3 * 149 + 2 * 99, `${tookMs} ms`);
  t.ok(tookMs < 3000, `${tookMs} ms`);
});

t.test('waits for a target that accepts late', async (t) => {
  const { port, wake } = await silentTarget(t);
  setTimeout(wake, 200);
  const [rtt] = await new TcpProber().probe({ ip, port, count: 1, timeoutMs: 5000 });
  t.ok(typeof rtt === 'number' && rtt >= 150, `${rtt} ms`);
});

t.test('rejects probes beyond the limits immediately, and accepts new ones when a probe ends', async (t) => {
  const { port } = await silentTarget(t);
  const prober = new TcpProber({ inAll: 3, perAddress: 2 });
  const probe = (address: string) => prober.probe({ ip: address, port, count: 1, timeoutMs: 300 });
  const running = [probe('127.0.0.1'), probe('127.0.0.1')];
  await t.rejects(probe('127.0.0.1'), ProbeRefused, 'limit per address');
  running.push(probe('127.0.0.2'));
  await t.rejects(probe('127.0.0.3'), ProbeRefused, 'limit in total');
  t.same(await Promise.all(running), [[null], [null], [null]]);
  t.same(await Promise.all([probe('127.0.0.1'), probe('127.0.0.1')]), [[null], [null]]);
});

t.test('closing the prober ends running probes and rejects new ones', async (t) => {
  const { port } = await silentTarget(t);
  const prober = new TcpProber();
  const running = prober.probe({ ip, port, count: 10, timeoutMs: 5000 });
  setTimeout(() => {
    prober.close();
  }, 20);
  await t.rejects(running, ProbeRefused);
  await t.rejects(prober.probe({ ip, port, count: 1, timeoutMs: 100 }), ProbeRefused);
});

t.test(
  'a process without free descriptors reports its own failure, not a result of the target',
  async (t) => {
    const module = fileURLToPath(new URL('tcp-prober.js', import.meta.url));
    const script = `
    import { openSync } from 'node:fs';
    import { TcpProber } from ${JSON.stringify(module)};
    const prober = new TcpProber();
    await prober.probe({ ip: '127.0.0.1', port: 9, count: 1, timeoutMs: 500 });
    for (;;) try { openSync('/dev/null'); } catch { break; }
    await prober.probe({ ip: '127.0.0.1', port: 9, count: 1, timeoutMs: 500 }).catch((error) => console.log(error.name));`;
    const command = 'ulimit -n 200 && exec "$0" --input-type=module -e "$1"';
    const { stdout } = await promisify(execFile)('sh', ['-c', command, process.execPath, script]);
    t.equal(stdout.trim(), 'ProbeRefused');
  },
);

t.test('only connects to addresses', async (t) => {
  const prober = new TcpProber();
  for (const name of ['localhost', '127.1', '', '2130706433'])
    await t.rejects(prober.probe({ ip: name, port: 80, count: 1, timeoutMs: 100 }), {
      name: 'AssertionError',
    });
});
