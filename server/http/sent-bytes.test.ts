import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import t from 'tap';
import { watchSentBytes } from './sent-bytes.js';

t.test('bytes of an answer count when they leave the process, not when they are written', async (t) => {
  const answers: { res: ServerResponse; isBegun: () => boolean }[] = [];
  const server = createServer((_, res) => {
    const isBegun = watchSentBytes(res);
    answers.push({ res, isBegun });
    res.writeHead(200, { 'Content-Length': '4' });
    res.write('a');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(3));
  await once(socket, 'data');
  while (answers.length < 3) await new Promise(setImmediate);
  const begun = () => answers.map(({ isBegun }) => isBegun());
  t.same(begun(), [true, false, false], 'the others wait for the first');
  answers[0]!.res.end('bcd');
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  while (!text.includes('\r\n\r\na')) await once(socket, 'data');
  t.same(begun(), [true, true, false]);
  const closed = once(answers[1]!.res, 'close');
  socket.resetAndDestroy();
  await closed;
  t.same(begun(), [true, true, false], 'a closed connection changes nothing');
});
