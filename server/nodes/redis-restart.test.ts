import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { freePort } from '../../pipeline/testing/free-port.js';
import { shortDir } from '../../pipeline/testing/child-process.js';
import { deadlineIn } from '../deadline.js';
import { UpstreamError } from '../upstream-error.js';
import type { NodeProbeResult } from './node-relay.js';
import { FakeNode } from './testing/fake-node.js';
import { place, startNodeServer, testNodeStore } from './testing/node-server.js';

/** Starts a Redis that keeps its data across restarts. */
function startRedis(t: Test, port: number, dir: string): ChildProcess {
  const places = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir];
  const child = spawn('redis-server', [...places, '--appendonly', 'yes', '--appendfsync', 'always'], {
    stdio: 'ignore',
  });
  t.teardown(() => child.kill('SIGKILL'));
  return child;
}

/** Repeats a probe until the other process receives it, because connections return one after the other. */
async function untilReceived(ask: () => Promise<NodeProbeResult>): Promise<NodeProbeResult> {
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
  'when Redis restarts, calls do not hang, nodes are soon unlisted, and then listed again',
  async (t) => {
    const [port, dir] = [await freePort(), shortDir(t)];
    const redis = startRedis(t, port, dir);
    const url = `redis://127.0.0.1:${port}`;
    const store = await testNodeStore(t, url);
    const { token } = await store.add(place('steady'));
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
    const asked = untilReceived(() => b.nodes.relay.probe(listed, probe, deadlineIn(10_000)));
    const { id } = await node.received('job');
    node.send({ type: 'result', id, ip: '93.184.216.34', rtts: [1, 2, 3, 4] });
    t.match(await asked, { kind: 'done' });
  },
);
