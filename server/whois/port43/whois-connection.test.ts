import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { deadlineIn } from '../../deadline.js';
import { drip, endless, WhoisServer, type WhoisReply } from './testing/whois-server.js';
import { askWhoisServer, MAX_ANSWER_BYTES } from './whois-connection.js';

async function serverOf(test: Test, reply: WhoisReply): Promise<WhoisServer> {
  const server = await WhoisServer.start('127.0.0.1', 0, { '*': reply });
  test.teardown(() => server.close());
  return server;
}

function ask(server: WhoisServer, { ips = ['127.0.0.1'], ms = 5000 } = {}): Promise<Buffer> {
  const { port } = server;
  return askWhoisServer({ ips, port, query: 'example.com', deadline: deadlineIn(ms), connectMs: 3000 });
}

t.test('a query is one line, and the answer ends when the server closes', async (t) => {
  const server = await serverOf(t, async (socket) => {
    socket.write('first ');
    await sleep(20);
    socket.end('second');
  });
  t.equal((await ask(server)).toString(), 'first second');
  t.same(server.asked, ['example.com\r\n']);
});

t.test('accepts an answer of the maximum size and rejects a longer one', async (t) => {
  const full = Buffer.alloc(MAX_ANSWER_BYTES, 'x');
  t.equal((await ask(await serverOf(t, full))).length, MAX_ANSWER_BYTES);
  const more = await serverOf(t, Buffer.alloc(MAX_ANSWER_BYTES + 1, 'x'));
  await t.rejects(ask(more), { name: 'UpstreamError', reason: 'malformed' });
});

t.test('decision 25: rejects servers that stall, drip, never end, disconnect or send nothing', async (t) => {
  const cases: readonly (readonly [string, WhoisReply])[] = [
    ['timeout', () => undefined],
    ['timeout', drip('Domain Name: example.com\n', 2)],
    ['malformed', endless('x'.repeat(10_000))],
    ['malformed', ''],
    ['unreachable', (socket) => void socket.resetAndDestroy()],
    [
      'unreachable',
      async (socket) => {
        socket.write('Domain Name: exa');
        await sleep(20);
        socket.resetAndDestroy();
      },
    ],
  ];
  for (const [reason, reply] of cases) {
    const start = performance.now();
    await t.rejects(ask(await serverOf(t, reply), { ms: 300 }), { name: 'UpstreamError', reason });
    t.ok(performance.now() - start < 3000);
  }
});

t.test('a port without a listener is unreachable', async (t) => {
  const server = await serverOf(t, '');
  await server.close();
  await t.rejects(ask(server), { name: 'UpstreamError', reason: 'unreachable' });
});

t.test('tries the next address when one refuses', async (t) => {
  const server = await serverOf(t, 'answer');
  t.equal((await ask(server, { ips: ['127.0.0.77', '127.0.0.78', '127.0.0.1'] })).toString(), 'answer');
  await t.rejects(ask(server, { ips: ['127.0.0.77', '127.0.0.78'] }), {
    name: 'UpstreamError',
    reason: 'unreachable',
  });
});

t.test('tries at most four addresses, and none without time', async (t) => {
  const server = await serverOf(t, 'answer');
  const refusing = [71, 72, 73, 74].map((n) => `127.0.0.${n}`);
  await t.rejects(ask(server, { ips: [...refusing, '127.0.0.1'] }), {
    name: 'UpstreamError',
    reason: 'unreachable',
  });
  await t.rejects(ask(server, { ms: 0 }), { name: 'UpstreamError', reason: 'timeout' });
  t.same(server.asked, []);
});
