import { EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { proxyMatcher } from './client-address.js';
import { OpenConnections, shareOf, type RefusedFor } from './connection-limits.js';
import { listen, newHttpServer } from './listener.js';

/** A connection from any address. The loopback has only one IPv6 /64. */
class Connection extends EventEmitter {
  constructor(readonly remoteAddress: string) {
    super();
  }
}

const from = (remoteAddress: string): Connection => new Connection(remoteAddress);

t.test(
  'decision 59: connections are limited by source: an IPv4 address, mapped or not, or an IPv6 /64',
  (t) => {
    const open = new OpenConnections({ total: 100, perSource: 2, isExempt: proxyMatcher(['10.0.0.0/8']) });
    const first = from('192.0.2.1');
    t.equal(open.enter(first), undefined);
    t.equal(open.enter(from('::ffff:192.0.2.1')), undefined);
    t.equal(open.enter(from('192.0.2.1')), 'source');
    t.equal(open.enter(from('192.0.2.2')), undefined, 'another source has its own limit');
    t.equal(open.enter(from('2001:db8:1:2::1')), undefined);
    t.equal(open.enter(from('2001:db8:1:2:ffff::9')), undefined);
    t.equal(open.enter(from('2001:db8:1:2::3')), 'source');
    t.equal(open.enter(from('2001:db8:1:3::1')), undefined);
    for (let i = 0; i < 5; i++)
      t.equal(open.enter(from('10.1.2.3')), undefined, 'a trusted proxy has no limit');
    first.emit('close');
    t.equal(open.enter(from('192.0.2.1')), undefined, 'a closed connection no longer counts');
    t.equal(open.total, 11);
    t.end();
  },
);

t.test('decision 59: connections are limited in all, also those of trusted proxies', (t) => {
  const open = new OpenConnections({ total: 3, perSource: 2, isExempt: proxyMatcher(['10.0.0.0/8']) });
  const sockets = ['10.0.0.1', '192.0.2.1', '192.0.2.2'].map(from);
  for (const socket of sockets) t.equal(open.enter(socket), undefined);
  t.equal(open.enter(from('10.0.0.1')), 'total');
  for (const socket of sockets) socket.emit('close');
  t.equal(open.total, 0);
  t.same([shareOf(10, 1), shareOf(10, 4), shareOf(1, 4)], [10, 3, 1]);
  t.end();
});

t.test('refused connections get a last answer, and beyond 64 at a time a reset', async (t) => {
  const reasons: RefusedFor[] = [];
  const server = newHttpServer((_, res) => res.end('here'), {
    connections: new OpenConnections({ total: 3, perSource: 2, isExempt: () => false }),
    onRefused: (reason) => reasons.push(reason),
  });
  const { port } = new URL(await listen(server, 0, '127.0.0.1'));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const open = (localAddress: string): Socket =>
    connect({ port: Number(port), host: '127.0.0.1', localAddress, allowHalfOpen: true });
  const ask = async (socket: Socket): Promise<string> => {
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    return chunk.toString();
  };
  const [one, two] = [open('127.0.0.1'), open('127.0.0.1')];
  for (const socket of [one, two]) t.match(await ask(socket), /^HTTP\/1\.1 200 /);
  const refused = open('127.0.0.1');
  const said = await text(refused);
  t.match(
    said,
    /^HTTP\/1\.1 429 .*Connection: close\r\n.*\{"code":429,"msg":"too many open connections from/s,
  );
  const other = open('127.0.0.2');
  t.match(await ask(other), /^HTTP\/1\.1 200 /, 'another source is admitted');
  t.match(await text(open('127.0.0.3')), /^HTTP\/1\.1 503 .*\{"code":503/s);
  const flood = Array.from({ length: 100 }, () => open('127.0.0.4'));
  const ends = await Promise.all(
    flood.map(
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
  for (const socket of [one, two, other, refused, ...flood]) socket.destroy();
});
