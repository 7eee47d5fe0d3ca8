import { setTimeout as sleep } from 'node:timers/promises';
import { FakeNode } from '../../nodes/testing/fake-node.js';
import { withServer, type AttackedServer } from './attacked-server.bench.js';
import { barOnly, joined, type Family, type Findings } from './finding.bench.js';

/** Finding 8: a hostile probe node. */
export const nodes: Family = ({ isQuick }) =>
  withServer({}, async (server) => {
    const goodbyes = isQuick ? 5000 : 20_000;
    return joined([
      await answersFor(server, '1.1.1.1', [1, 2, 3, 4]),
      await answersFor(server, '8.8.8.8', [59_000, 2, 3, 4]),
      await answersFor(server, '0:0:0:0:0:ffff:8.8.8.8', [1, 2, 3, 4]),
      await leaves(server, goodbyes),
    ]);
  });

/** Asks for 8.8.8.8 from a node that answers with another address or an impossible time. */
async function answersFor(server: AttackedServer, ip: string, rtts: readonly number[]): Promise<Findings> {
  const code = `liar-${Math.floor(Math.random() * 1e9)}`;
  const node = await FakeNode.ready(server.url, token(server, code));
  const key = server.key('enterprise');
  await sleep(500);
  const headers = { authorization: `Bearer ${key}` };
  const call = fetch(`${server.url}/api/tcping/8.8.8.8:443?node=${code}`, { headers });
  const { id } = await node.received('job');
  node.send({ type: 'ack', id });
  node.send({ type: 'result', id, ip, rtts });
  const text = await (await call).text();
  node.socket.terminate();
  const isAccepted = text.startsWith('{"code":0');
  return barOnly(`8: a node answers for 8.8.8.8 with ${ip}, RTT ${rtts[0]!} ms`, 'not a success', {
    measured: text.slice(0, 120),
    isMet: !isAccepted,
  });
}

async function leaves(server: AttackedServer, goodbyes: number): Promise<Findings> {
  const node = await FakeNode.ready(server.url, token(server, 'leaver'));
  for (let i = 0; i < goodbyes; i++) {
    node.send({ type: 'goodbye', reason: 'x\n{"level":30,"msg":"forged"}' });
    if (i % 500 === 0) await sleep(10);
  }
  const isClosed = await Promise.race([node.closed().then(() => true), sleep(3000, false)]);
  node.socket.terminate();
  await sleep(1500);
  const lines = server.log.split('\n').filter((line) => line.includes('is leaving')).length;
  return barOnly(`8: ${goodbyes} goodbyes of one node`, 'one line, and the connection ends', {
    measured: `${lines} lines, connection ${isClosed ? 'ended' : 'open'}`,
    isMet: lines <= 1 && isClosed,
  });
}

function token(server: AttackedServer, code: string): string {
  const place = ['--name', 'Frankfurt', '--country', 'Germany', '--country-code', 'DE'];
  return server.run('node', 'add', '--quiet', '--code', code, ...place);
}
