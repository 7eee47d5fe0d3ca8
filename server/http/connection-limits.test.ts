import { EventEmitter, once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import { proxyMatcher } from './client-address.js';
import { OpenConnections, shareOf, type CountedConnection, type RefusedFor } from './connection-limits.js';
import { listen, newHttpServer } from './listener.js';

/** A connection from any address. The loopback has only one IPv6 /64. */
class Connection extends EventEmitter {
  constructor(readonly remoteAddress: string) {
    super();
  }

  destroy(): void {
    this.emit('close');
  }
}

/** Opens connections at limits. */
function opened(limits: { readonly total: number; readonly perSource: number }) {
  const open = new OpenConnections({ ...limits, isExempt: proxyMatcher(['10.0.0.0/8']) });
  const ended: string[] = [];
  const enter = (connection: Connection) =>
    open.enter(connection, ({ remoteAddress = '' }) => ended.push(remoteAddress));
  return { open, ended, enter, from: (address: string) => enter(new Connection(address)) };
}

/** Opens a connection that must be admitted. */
function admitted(counted: ReturnType<OpenConnections['enter']>): CountedConnection {
  if (typeof counted === 'string') throw new Error(`refused: ${counted}`);
  return counted;
}

t.test(
  'decision 59: connections are limited by source: an IPv4 address, mapped or not, or an IPv6 /64',
  (t) => {
    const { open, enter, from } = opened({ total: 100, perSource: 2 });
    const first = new Connection('192.0.2.1');
    admitted(enter(first));
    admitted(from('::ffff:192.0.2.1'));
    t.equal(from('192.0.2.1'), 'source');
    admitted(from('192.0.2.2'));
    admitted(from('2001:db8:1:2::1'));
    admitted(from('2001:db8:1:2:ffff::9'));
    t.equal(from('2001:db8:1:2::3'), 'source');
    admitted(from('2001:db8:1:3::1'));
    // A trusted proxy has no limit.
    for (let i = 0; i < 5; i++) admitted(from('10.1.2.3'));
    first.emit('close');
    admitted(from('192.0.2.1'));
    t.equal(open.total, 11);
    t.end();
  },
);

t.test('decision 59: busy connections are limited in all, also those of trusted proxies', (t) => {
  const { open, ended, enter, from } = opened({ total: 3, perSource: 2 });
  const sockets = ['10.0.0.1', '192.0.2.1', '192.0.2.2'].map((address) => new Connection(address));
  const [, one] = sockets.map((socket) => {
    const counted = admitted(enter(socket));
    counted.markBusy();
    return counted;
  });
  t.equal(from('10.0.0.1'), 'total');
  for (const socket of sockets) socket.emit('close');
  one!.markIdle();
  t.equal(open.total, 0);
  for (let i = 0; i < 3; i++) admitted(from(`198.51.100.${i}`)).markBusy();
  t.equal(from('192.0.2.1'), 'total', 'a closed connection does not become idle');
  t.same(ended, []);
  t.same([shareOf(10, 1), shareOf(10, 4), shareOf(1, 4)], [10, 3, 1]);
  t.end();
});

t.test('decision 59: at the limit the connection that has been idle longest is ended', (t) => {
  const { open, ended, from } = opened({ total: 4, perSource: 10 });
  const [one, two] = [1, 2, 3, 4].map((n) => admitted(from(`192.0.2.${n}`)));
  two!.markBusy();
  one!.markBusy();
  one!.markIdle();
  const newcomers = [5, 6, 7].map((n) => admitted(from(`192.0.2.${n}`)));
  t.same(ended, ['192.0.2.3', '192.0.2.4', '192.0.2.1']);
  for (const newcomer of newcomers) newcomer.markBusy();
  t.equal(from('192.0.2.8'), 'total');
  t.equal(open.total, 4);
  t.end();
});

t.test('decision 59: sources with many connections lose idle ones first, trusted proxies last', (t) => {
  const { ended, from } = opened({ total: 12, perSource: 10 });
  for (let i = 0; i < 3; i++) admitted(from('10.0.0.1'));
  admitted(from('192.0.2.1'));
  for (let i = 0; i < 8; i++) admitted(from('192.0.2.2'));
  for (let i = 0; i < 12; i++) admitted(from(`198.51.100.${i}`)).markBusy();
  t.same(ended, [
    ...Array<string>(7).fill('192.0.2.2'),
    ...['192.0.2.1', '192.0.2.2'],
    ...Array<string>(3).fill('10.0.0.1'),
  ]);
  t.end();
});

/** Serves on the loopback, and collects why connections are refused or ended. */
async function serve(
  t: Test,
  limits: { readonly total: number; readonly perSource: number },
  answer: RequestListener,
) {
  const reasons: RefusedFor[] = [];
  const server = newHttpServer(answer, {
    connections: new OpenConnections({ ...limits, isExempt: () => false }),
    onRefused: (reason) => reasons.push(reason),
    webSockets: { path: '/ws', accept: (_, socket) => socket.pipe(socket).write('welcome') },
  });
  const { port } = new URL(await listen(server, 0, '127.0.0.1'));
  const sockets: Socket[] = [];
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  const open = (localAddress: string): Socket => {
    const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress, allowHalfOpen: true });
    sockets.push(socket);
    return socket;
  };
  return { server, reasons, open };
}

const GET = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const UPGRADE = 'GET /ws HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

/** Sends text and returns the next chunk of the answer. */
async function ask(socket: Socket, text: string): Promise<string> {
  socket.write(text);
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return chunk.toString();
}

t.test('decision 59: idle connections lock no caller out, and end no running request', async (t) => {
  let finish = (): void => undefined;
  const { server, reasons, open } = await serve(t, { total: 40, perSource: 8 }, (req, res) => {
    if (req.url === '/slow') finish = () => res.end('finished');
    else res.end('here');
  });
  const slow = open('127.0.0.2');
  slow.write(GET('/slow'));
  await once(server, 'request');
  const upgraded = open('127.0.0.3');
  t.equal(await ask(upgraded, UPGRADE), 'welcome');
  const kept = open('127.0.0.4');
  t.match(await ask(kept, GET('/')), /^HTTP\/1\.1 200 .*here$/s);
  // Some are silent, the others never end their headers.
  const idle = Array.from({ length: 37 }, (_, i) => open(`127.0.0.${10 + (i % 5)}`));
  for (const socket of idle) socket.on('error', () => undefined);
  for (const socket of idle.slice(20)) socket.write('GET / HTTP/1.1\r\nHost: a\r\nX: ');
  const ends = [kept, ...idle].map(
    (socket) => new Promise((resolve) => socket.resume().once('close', resolve)),
  );
  for (const socket of [kept, ...idle]) socket.once('end', () => socket.destroy());
  for (let i = 1; i <= 100; i++)
    t.match(await ask(open(`127.0.1.${i}`), GET('/')), /^HTTP\/1\.1 200 .*here$/s);
  await Promise.all(ends);
  t.same(reasons, Array<string>(100).fill('idle'));
  t.equal(await ask(upgraded, 'still there'), 'still there');
  const rest = once(slow, 'data');
  finish();
  t.match(String(await rest), /finished$/);
});

t.test('refused connections get a last answer, and beyond 64 at a time a reset', async (t) => {
  const { server, reasons, open } = await serve(t, { total: 3, perSource: 2 }, () => undefined);
  for (const address of ['127.0.0.1', '127.0.0.1', '127.0.0.2']) {
    open(address).write(GET('/'));
    await once(server, 'request');
  }
  t.match(
    await text(open('127.0.0.1')),
    /^HTTP\/1\.1 429 .*Connection: close\r\n.*\{"code":429,"msg":"too many open connections from/s,
  );
  t.match(await text(open('127.0.0.3')), /^HTTP\/1\.1 503 .*\{"code":503/s);
  const ends = await Promise.all(
    Array.from({ length: 100 }, () => open('127.0.0.4')).map(
      (socket) =>
        new Promise((resolve) => {
          socket.once('data', () => {
            resolve('answer');
          });
          socket.once('error', () => {
            resolve('reset');
          });
        }),
    ),
  );
  t.ok(ends.filter((end) => end === 'answer').length >= 60, 'most get an answer');
  t.ok(ends.includes('reset'), 'the rest is reset');
  t.same([reasons[0], reasons[1], reasons.length], ['source', 'total', 102]);
});
