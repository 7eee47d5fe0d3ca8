import { request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { WebSocket } from 'ws';
import { runServer } from '../testing/running-server.js';
import { newNodeToken } from './node-token.js';
import { FakeNode } from './testing/fake-node.js';
import { place, testNodeStore } from './testing/node-server.js';
import { until } from './testing/until.js';

t.test('a running server: other protocols, wrong tokens, and a shutdown with a connected node', async (t) => {
  const server = await runServer(t, { nodeTimes: { pollMs: 100 } });
  const ask = async (
    method: string,
    path: string,
    Upgrade: string,
  ): Promise<[number, string, IncomingMessage]> => {
    const headers = { Connection: 'Upgrade', Upgrade };
    const asking = request(`${server.url}${path}`, { method, headers }).end();
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    return [response.statusCode ?? 0, await text(response), response];
  };
  t.match(await ask('GET', '/ip', 'h2c'), [200, '127.0.0.1'], 'like curl --http2');
  t.match(await ask('GET', '/api/nodes/connect', 'h2c'), [404, /"code":404/]);
  t.match(await ask('GET', '/elsewhere', 'websocket'), [404, /"code":404/]);
  t.match(await ask('POST', '/api/ip/batch', 'h2c'), [400, /"code":400/]);
  const [status, body, { headers: refusal }] = await ask('GET', '/api/nodes/connect', 'websocket');
  t.match([status, body], [401, /"code":401/]);
  const expected = { 'x-request-id': /./, 'x-ratelimit-limit': '60', 'x-ratelimit-reset': /^\d+$/ };
  t.match(
    refusal,
    { ...expected, 'x-content-type-options': 'nosniff' },
    'decisions 1 and 12: like every response',
  );
  t.equal(await FakeNode.connect(server.url, newNodeToken()), 401);
  const elsewhere = new WebSocket(`${server.url.replace('http', 'ws')}/api/nodes`);
  const [error] = (await once(elsewhere, 'error')) as [Error];
  t.match(error.message, 'Unexpected server response: 200');

  const store = await testNodeStore(t, server.redis.url);
  const { token } = await store.add(place('here'));
  const node = await FakeNode.ready(server.url, token);
  await until('it is listed', async () =>
    JSON.stringify((await server.get('/api/nodes')).body).includes('here'),
  );
  t.match(await server.running.metrics.registry.metrics(), /ipatlas_nodes_connected 1/);
  await server.running.stop(5000);
  t.match(await node.closed(), { code: 1012 });
});
