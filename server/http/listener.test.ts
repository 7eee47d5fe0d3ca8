import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import t, { type Test } from 'tap';
import { drain, listen, newHttpServer, PATIENCE } from './listener.js';

const IMPATIENT = { ...PATIENCE, headersMs: 300, requestMs: 400, checkMs: 50 };

async function listening(
  t: Test,
  server: Server,
): Promise<{ url: string; open: (allowHalfOpen?: boolean) => Socket }> {
  const url = await listen(server, 0, '127.0.0.1');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const open = (allowHalfOpen = false): Socket => {
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen });
    socket.on('error', () => undefined);
    return socket;
  };
  return { url, open };
}

t.test(
  'hundreds of sockets that never finish their headers are closed and do not block others',
  async (t) => {
    const server = newHttpServer((_, res) => res.end('here'), { patience: IMPATIENT });
    const { url, open } = await listening(t, server);
    const slow = Array.from({ length: 300 }, () => open());
    const closed = slow.map((socket) => once(socket.resume(), 'close'));
    for (const socket of slow) socket.write('GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ');
    t.equal(await (await fetch(url)).text(), 'here');
    await Promise.all(closed);
    t.pass('all were closed');
  },
);

t.test('decision 60: a request with 100 header lines is answered, one with 101 is 431', async (t) => {
  const { open } = await listening(
    t,
    newHttpServer((_, res) => res.end('here')),
  );
  const statusWith = async (lines: number): Promise<string> => {
    const socket = open();
    t.teardown(() => socket.destroy());
    socket.write(`GET / HTTP/1.1\r\nHost: a\r\n${'X-A: b\r\n'.repeat(lines - 1)}\r\n`);
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    return chunk.toString('latin1', 9, 12);
  };
  t.equal(await statusWith(100), '200');
  t.equal(await statusWith(101), '431');
});

t.test('a malformed request is answered whole; a caller that keeps sending is cut off', async (t) => {
  const { open } = await listening(
    t,
    newHttpServer((_, res) => res.end('here')),
  );
  const socket = open(true);
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  socket.write(`GET / HTTP/1.1\r\nHost: a\r\nX-Large: ${'x'.repeat(100_000)}`);
  await once(socket, 'end');
  t.match(answer, /^HTTP\/1\.1 431 .*\{"code":431/s);
  t.match(answer, /X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n/);
  t.match(answer, /\r\nContent-Security-Policy: default-src 'none'\r\n/);
  const endless = setInterval(() => socket.write('y'.repeat(10_000)), 20);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await closed;
  clearInterval(endless);
  t.ok(socket.destroyed);
});

t.test('a caller who disconnects during a stream ends the stream', async (t) => {
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
  // It ends with an error, which the pipeline handles.
  if (!source!.closed) await new Promise((resolve) => source!.once('close', resolve));
  t.ok(source!.destroyed);
});

t.test(
  'draining finishes running requests, accepts no new ones, and aborts those over the time limit',
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
