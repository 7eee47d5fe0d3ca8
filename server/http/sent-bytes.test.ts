import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import t from 'tap';
import { listen, newHttpServer } from './listener.js';
import { watchSentBytes } from './sent-bytes.js';

t.test('bytes of an answer count when they leave the process, not those of answers before it', async (t) => {
  const answers: { res: ServerResponse; isBegun: () => boolean }[] = [];
  const server = newHttpServer((_, res) => {
    answers.push({ res, isBegun: watchSentBytes(res) });
  });
  const { port } = new URL(await listen(server, 0, '127.0.0.1'));
  t.teardown(() => server.close());
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(3));
  const answer = async (n: number) => {
    while (answers.length <= n) await new Promise(setImmediate);
    return answers[n]!;
  };
  for (const body of ['first', 'second']) {
    const { res, isBegun } = await answer(body === 'first' ? 0 : 1);
    t.notOk(isBegun());
    res.writeHead(200, { 'Content-Length': String(body.length) });
    t.notOk(isBegun(), 'nothing is written yet');
    res.end(body);
    while (!text.includes(body)) await once(socket, 'data');
    t.ok(isBegun());
  }
  const { res, isBegun } = await answer(2);
  const closed = once(res, 'close');
  socket.resetAndDestroy();
  await closed;
  res.end('third');
  t.notOk(isBegun(), 'a closed connection takes no bytes');
});
