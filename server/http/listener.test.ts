import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import t, { type Test } from 'tap';
import { drain, listen, newHttpServer, PATIENCE } from './listener.js';

const IMPATIENT = { ...PATIENCE, headersMs: 300, requestMs: 400, checkMs: 50 };

async function listening(t: Test, server: Server): Promise<{ url: string; open: () => Socket }> {
  const url = await listen(server, 0, '127.0.0.1');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const open = (): Socket => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    return socket;
  };
  return { url, open };
}

t.test(
  'hundreds of sockets that never finish their headers are closed, and others are served meanwhile',
  async (t) => {
    const server = newHttpServer((_, res) => res.end('here'), IMPATIENT);
    const { url, open } = await listening(t, server);
    const slow = Array.from({ length: 300 }, () => open());
    const closed = slow.map((socket) => once(socket.resume(), 'close'));
    for (const socket of slow) socket.write('GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ');
    t.equal(await (await fetch(url)).text(), 'here');
    await Promise.all(closed);
    t.pass('all were closed');
  },
);

t.test('a caller who goes in the middle of a stream ends the stream', async (t) => {
  let source: Readable | undefined;
  const server = newHttpServer((_, res) => {
    source = Readable.from(endless());
    pipeline(source, res).catch(() => undefined);
  });
  const { open } = await listening(t, server);
  const socket = open();
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(socket, 'data');
  socket.destroy();
  // It ends with an error, which is the pipeline's business.
  if (!source!.closed) await new Promise((resolve) => source!.once('close', resolve));
  t.ok(source!.destroyed);
});

t.test(
  'draining ends running requests, takes no new ones, and cuts off what outlives its time',
  async (t) => {
    let finish = (): void => undefined;
    const server = newHttpServer((_, res) => (finish = () => res.end('done')));
    const { url } = await listening(t, server);
    const running = fetch(url);
    await once(server, 'request');
    const drained = drain(server, 60_000);
    await t.rejects(fetch(url));
    finish();
    t.equal(await (await running).text(), 'done');
    await drained;
    const stuck = newHttpServer(() => undefined);
    const { url: stuckUrl } = await listening(t, stuck);
    const cut = t.rejects(fetch(stuckUrl));
    await once(stuck, 'request');
    await drain(stuck, 10);
    await cut;
  },
);

function* endless(): Generator<Buffer> {
  for (;;) yield Buffer.alloc(65_536);
}
