import { deadlineIn } from '../../deadline.js';
import type { FakeNode } from './fake-node.js';
import type { NodeServer } from './node-server.js';

/**
 * Sends a probe through a server and returns it with the job that the node received. Sends it again if it ends without
 * a job: for a moment after a reconnect, other servers still send jobs to the old connection.
 */
export async function asked(server: NodeServer, node: FakeNode, code: string, host = 'example.com') {
  const received = node.received('job');
  for (let tries = 0; tries < 5; tries++) {
    const target = { host, port: 443 };
    const result = server.nodes.relay.probe(await server.online(code), target, deadlineIn(10_000));
    const job = await Promise.race([received, result.then(() => undefined)]);
    if (job !== undefined) return { result, job };
  }
  throw new Error(`${code} received no job in 5 probes`);
}
