import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { shortDir } from '../../pipeline/jobs/testing/child-process.js';
import { deadlineIn } from '../deadline.js';
import { UpstreamError } from '../upstream-error.js';
import type { NodeProbeResult } from './node-relay.js';
import { FakeNode } from './testing/fake-node.js';
import { place, startNodeServer, testRegistry } from './testing/node-server.js';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A Redis that keeps what it was told over its end. */
function startRedis(t: Test, port: number, dir: string): ChildProcess {
  const places = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir];
  const child = spawn('redis-server', [...places, '--appendonly', 'yes', '--appendfsync', 'always'], {
    stdio: 'ignore',
  });
  t.teardown(() => child.kill('SIGKILL'));
  return child;
}

/** The first result of a probe that the other process heard of: connections come back one after the other. */
async function whenHeard(ask: () => Promise<NodeProbeResult>): Promise<NodeProbeResult> {
  for (;;) {
    try {
      const result = await ask();
      if (result.kind !== 'refused') return result;
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
    }
    await setTimeout(20);
  }
}

t.test(
  'Redis goes and comes back: nothing hangs, nobody is listed for long, and then all are again',
  async (t) => {
    const [port, dir] = [await freePort(), shortDir(t)];
    const redis = startRedis(t, port, dir);
    const url = `redis://127.0.0.1:${port}`;
    const registry = await testRegistry(t, url);
    const { token } = await registry.add(place('steady'));
    const times = { heartbeatMs: 1000, presenceMs: 2000, staleMs: 500, ackMs: 10_000 };
    const [a, b] = [await startNodeServer(t, url, { times }), await startNodeServer(t, url, { times })];
    const node = await FakeNode.ready(a.url, token);
    await a.online('steady');
    const listed = await b.online('steady');

    redis.kill('SIGKILL');
    await once(redis, 'exit');
    const probe = { host: 'example.com', port: 443 };
    await t.rejects(b.nodes.relay.probe(listed, probe, deadlineIn(10_000)), UpstreamError);
    await Promise.all([a.offline('steady'), b.offline('steady')]);
    t.equal(await FakeNode.connect(a.url, token), 503);

    startRedis(t, port, dir);
    await Promise.all([a.online('steady'), b.online('steady')]);
    const asked = whenHeard(() => b.nodes.relay.probe(listed, probe, deadlineIn(10_000)));
    const { id } = await node.heard('job');
    node.say({ type: 'result', id, ip: '93.184.216.34', rtts: [1, 2, 3, 4] });
    t.match(await asked, { kind: 'done' });
  },
);
